//! A worker and everything that it starts, as one group that ends together.

use std::process::{Child, Command, ExitStatus};

/// Makes the command's process the head of a group of its own: Ctrl-C is for us to handle, and its children can be ended
/// with it. Systems without process groups start it as it is.
pub fn separate(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Ends the process and, where the system has groups, all of its group, also when the process itself has ended already.
pub fn kill(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        // Group and process have the same number.
        if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// The signal that ended a process; `None` where it ended by itself or the system has no signals.
pub fn signal(status: ExitStatus) -> Option<i32> {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal = None::<i32>.filter(|_| status.code().is_none());
    signal
}

/// The number of the signal that no process can refuse, which a system short of memory sends.
pub const KILL: i32 = 9;
