//! The form of a registry: an enum and its table, one row a variant.

/// Declares an enum whose variants are the rows of a table: name, key, definition, then what is known of it.
///
/// The kebab-case key is the name in files, filters and on the command line; in JSON and CSV it is in snake_case. The
/// definition is the variant's documentation too. A lookup is one jump: rows are constants.
macro_rules! registry {
    (
        $(#[$meta:meta])*
        pub enum $name:ident: $row:ty {
            $($(#[cfg($cfg:meta)])? $variant:ident, $key:literal, $definition:literal => $value:expr;)+
        }
    ) => {
        $(#[$meta])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord,
            strum::Display, strum::EnumString, strum::IntoStaticStr, strum::VariantArray,
        )]
        pub enum $name {
            $(
                $(#[cfg($cfg)])?
                #[doc = $definition]
                #[strum(to_string = $key)]
                $variant,
            )+
        }

        impl $name {
            /// The kebab-case key.
            pub const fn key(self) -> &'static str {
                match self {
                    $($(#[cfg($cfg)])? Self::$variant => $key,)+
                }
            }

            /// The snake_case key in JSON and CSV.
            pub fn json_key(self) -> String {
                self.key().replace('-', "_")
            }

            /// What it is.
            pub const fn definition(self) -> &'static str {
                match self {
                    $($(#[cfg($cfg)])? Self::$variant => $definition,)+
                }
            }

            /// Its row of the table.
            const fn row(self) -> &'static $row {
                match self {
                    $($(#[cfg($cfg)])? Self::$variant => const { &$value },)+
                }
            }
        }
    };
}

pub(super) use registry;
