//! A worker does not outlive its parent.

/// Asks the kernel to end this process when its parent dies, however it dies.
///
/// The parent also closes this process's standard input, which [`crate::serve`] takes as the end; that is noticed only
/// between requests.
pub fn end_with_parent() {
    // SAFETY: PR_SET_PDEATHSIG takes a signal number and touches no memory.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
    }
}
