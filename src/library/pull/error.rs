//! Why nothing was pulled, and what a person can do.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use dlbench_snapshot::{PackError, UnpackError};

use crate::reading::{ReadError, WriteError};
use crate::values::text::printable_path;

/// Why nothing was pulled. What answered before answers still.
#[derive(Debug, thiserror::Error)]
pub enum PullError {
    /// Nobody said from where.
    #[error("no address is named, nothing was pulled before, and the project states no address of its own")]
    NoAddress,
    /// Another protocol.
    #[error("`{scheme}:` addresses are not fetched")]
    Protocol {
        /// Which.
        scheme: String,
    },
    /// A secret that would be kept in a file.
    #[error("the address has a name or a password in it, which would be kept with it")]
    Password,
    /// There is no client.
    #[error("this dlbench was built without the feature `online`")]
    Offline,
    /// The client could not be set up.
    #[error("the network cannot be used: {0}")]
    Client(String),
    /// No server answered.
    #[error("{url}: no answer: {why}")]
    Unreachable {
        /// Whom.
        url: String,
        /// The innermost cause.
        why: String,
    },
    /// The server says that it has nothing.
    #[error("{url}: the server answers with HTTP status {status}")]
    Status {
        /// Where.
        url: String,
        /// What it said.
        status: u16,
    },
    /// It says something and then nothing.
    #[error("{url}: the server was silent for {} s", silence.as_secs())]
    Silent {
        /// Where.
        url: String,
        /// As long as that.
        silence: Duration,
    },
    /// It takes too long.
    #[error("the download took longer than {} s, {have} bytes are here", time.as_secs())]
    TooSlow {
        /// As long as that.
        time: Duration,
        /// So many bytes came.
        have: u64,
    },
    /// It is longer than what is taken.
    #[error("it is larger than {} MB", most / 1_000_000)]
    TooLarge {
        /// So many bytes are taken.
        most: u64,
    },
    /// The connection broke.
    #[error("the download was cut off after {have} bytes{}", total.map(|total| format!(" of {total}")).unwrap_or_default())]
    CutOff {
        /// So many bytes came.
        have: u64,
        /// Of so many, if that was stated.
        total: Option<u64>,
    },
    /// The way leads through another protocol.
    #[error("{from} leads to another protocol, which is not followed: {to}")]
    OtherProtocol {
        /// From where.
        from: String,
        /// To where.
        to: String,
    },
    /// The way leads from the Internet to this machine or its network.
    #[error("{from} leads to this machine or its network, which is not followed: {to}")]
    LeadsInside {
        /// From where.
        from: String,
        /// To where.
        to: String,
    },
    /// The way has no end.
    #[error("{url} leads round in a circle, or over more than {most} others")]
    Circle {
        /// Where it began.
        url: String,
        /// So many are followed.
        most: usize,
    },
    /// What came is no snapshot and no archive of a repository, or is damaged.
    #[error(transparent)]
    Unpack(#[from] UnpackError),
    /// What came has mistakes.
    #[error("the strict reader refuses it: {0}")]
    Refused(#[source] ReadError),
    /// It says that it is of a day that has not come.
    #[error("it says that it is of {date}, a day in the future")]
    Future {
        /// The day.
        date: String,
    },
    /// What came could not be packed.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// A file cannot be read.
    #[error("cannot read {}: {error}", printable_path(path))]
    Unread {
        /// Which.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Another user may have put there what lies there.
    #[error("{0}")]
    Distrusted(String),
    /// What was pulled is not what it was.
    #[error("{} is damaged: {why}", printable_path(path))]
    Damaged {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// There is nothing to go back to.
    #[error("there is nothing to go back to: nothing was pulled")]
    NothingBefore,
}

impl PullError {
    /// What a person can do.
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
                "is there a network, and is the address right? A file that was fetched by other means can be named by its path"
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
                "make room, or name another folder for what is pulled in DLBENCH_DATA"
            }
            Self::Unpack(_) => "nothing was replaced; fetch it again, or tell those who publish it",
            Self::Refused(_) => concat!(
                "nothing was replaced; it may be meant for a newer dlbench than this one, which is ",
                env!("CARGO_PKG_VERSION")
            ),
            Self::Future { .. } => {
                "nothing was replaced; is the clock of this computer right? Else tell those who publish it"
            }
            Self::Distrusted(_) => "DLBENCH_DATA names another folder for what is pulled",
            Self::Damaged { .. } => "`dlbench pull` fetches it again",
            Self::Pack(_) | Self::Unread { .. } | Self::NothingBefore => return None,
        })
    }
}
