//! Why a pull failed, and how to fix it.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use dlbench_snapshot::{PackError, UnpackError};

use crate::reading::{ReadError, WriteError};
use crate::values::text::printable_path;

/// Why a pull failed. The active knowledge base stays active.
#[derive(Debug, thiserror::Error)]
pub enum PullError {
    /// No address is known.
    #[error("no address was given, nothing was pulled before, and the project states no address of its own")]
    NoAddress,
    /// The address has an unsupported protocol.
    #[error("`{scheme}:` addresses are not fetched")]
    Protocol {
        /// The protocol.
        scheme: String,
    },
    /// The address includes a user name or password, which would be stored in a file.
    #[error("the address contains a name or a password, which would be stored with it")]
    Password,
    /// The program was built without an HTTP client.
    #[error("this dlbench was built without the feature `online`")]
    Offline,
    /// The client could not be set up.
    #[error("the network cannot be used: {0}")]
    Client(String),
    /// No server answered.
    #[error("{url}: no answer: {why}")]
    Unreachable {
        /// The address.
        url: String,
        /// The innermost cause.
        why: String,
    },
    /// The server returned an error status.
    #[error("{url}: the server answers with HTTP status {status}")]
    Status {
        /// The address.
        url: String,
        /// The HTTP status.
        status: u16,
    },
    /// The server stopped sending.
    #[error("{url}: the server was silent for {} s", silence.as_secs())]
    Silent {
        /// The address.
        url: String,
        /// Time without data.
        silence: Duration,
    },
    /// The download exceeded its time limit.
    #[error("the download took longer than {} s, {have} bytes are here", time.as_secs())]
    TooSlow {
        /// The time limit.
        time: Duration,
        /// Number of bytes received.
        have: u64,
    },
    /// The file exceeds the size limit.
    #[error("it is larger than {} MB", most / 1_000_000)]
    TooLarge {
        /// The size limit in bytes.
        most: u64,
    },
    /// The connection broke.
    #[error("the download was cut off after {have} bytes{}", total.map(|total| format!(" of {total}")).unwrap_or_default())]
    CutOff {
        /// Number of bytes received.
        have: u64,
        /// Length of the whole file in bytes, if stated.
        total: Option<u64>,
    },
    /// A redirect to another protocol.
    #[error("{from} leads to another protocol, which is not followed: {to}")]
    OtherProtocol {
        /// The address that redirects.
        from: String,
        /// The target of the redirect.
        to: String,
    },
    /// A redirect from the Internet to this machine or its network.
    #[error("{from} leads to this machine or its network, which is not followed: {to}")]
    LeadsInside {
        /// The address that redirects.
        from: String,
        /// The target of the redirect.
        to: String,
    },
    /// A redirect loop, or too many redirects.
    #[error("{url} leads round in a circle, or over more than {most} others")]
    Circle {
        /// The first address.
        url: String,
        /// Maximum number of redirects.
        most: usize,
    },
    /// The file is damaged, or neither a snapshot nor the archive of a repository.
    #[error(transparent)]
    Unpack(#[from] UnpackError),
    /// The fetched knowledge base has mistakes.
    #[error("the strict reader refuses it: {0}")]
    Refused(#[source] ReadError),
    /// The fetched knowledge base is dated in the future.
    #[error("its date {date} is in the future")]
    Future {
        /// The date.
        date: String,
    },
    /// The fetched knowledge base could not be packed.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// A file cannot be read.
    #[error("cannot read {}: {error}", printable_path(path))]
    Unread {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Another user may have written to the folder.
    #[error("{0}")]
    Distrusted(String),
    /// An installed file is damaged.
    #[error("{} is damaged: {why}", printable_path(path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// There is no earlier snapshot to roll back to.
    #[error("there is nothing to go back to: nothing was pulled")]
    NothingBefore,
}

impl PullError {
    /// How the user can fix it.
    pub fn help(&self) -> Option<&'static str> {
        Some(match self {
            Self::NoAddress => {
                "`dlbench pull ADDRESS` takes a release file (https://…/dlbench-kb.tar.gz), the archive that a Git host makes of a \
                 repository, or a file or folder of this computer"
            }
            Self::Protocol { .. } => "name an address that begins with https://, or a path",
            Self::Password => "fetch the file by other means and name its path",
            Self::Offline => "fetch the file by other means and name its path, or build with --features online",
            Self::Client(_) | Self::Unreachable { .. } => {
                "is there a network, and is the address right? A file that was fetched by other means can be given by its path"
            }
            Self::Status { status: 404 | 410, .. } => "nothing is there: look at the address in a browser",
            Self::Status { status: 401 | 403, .. } => "the server does not give it to everybody",
            Self::Status { status: 429 | 500.., .. } => "the fault is the server's: try again later",
            Self::Status { .. } => "look at the address in a browser",
            Self::Silent { .. } | Self::TooSlow { .. } | Self::CutOff { .. } => {
                "`dlbench pull` again goes on where it broke off, if the server can do that; --timeout and --time-limit wait longer"
            }
            Self::TooLarge { .. } => "is it the right address? --max-size takes more",
            Self::OtherProtocol { .. } | Self::LeadsInside { .. } => {
                "if that is where you want to go, name that address"
            }
            Self::Circle { .. } => "the fault is the server's: try again later, or name another address",
            Self::Write(_) | Self::Unpack(UnpackError::Write { .. }) => {
                "make room, or set DLBENCH_DATA to another folder for pulled snapshots"
            }
            Self::Unpack(_) => "nothing was replaced; fetch it again, or tell those who publish it",
            Self::Refused(_) => concat!(
                "nothing was replaced; it may be meant for a newer dlbench than this one, which is ",
                env!("CARGO_PKG_VERSION")
            ),
            Self::Future { .. } => {
                "nothing was replaced; is the clock of this computer right? Else tell those who publish it"
            }
            Self::Distrusted(_) => "set DLBENCH_DATA to another folder for pulled snapshots",
            Self::Damaged { .. } => "`dlbench pull` fetches it again",
            Self::Pack(_) | Self::Unread { .. } | Self::NothingBefore => return None,
        })
    }
}
