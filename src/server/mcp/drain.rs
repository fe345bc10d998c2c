//! Delays the end of the input until every call is answered: the protocol's library drops running calls when its input
//! ends.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// Nothing is in flight if no call runs and nothing was written for this long: an answer passes two queues of one
/// thread between its call and the output.
const QUIET: Duration = Duration::from_millis(50);

/// Calls and writes that are not finished.
#[derive(Debug, Default)]
pub(super) struct InFlight {
    calls: AtomicUsize,
    written: AtomicU64,
    blocked: AtomicBool,
}

impl InFlight {
    /// Counts a call until the guard is dropped.
    pub fn call(self: &Arc<Self>) -> CallGuard {
        self.calls.fetch_add(1, Ordering::Relaxed);
        CallGuard(Arc::clone(self))
    }

    /// Records the result of a write.
    pub fn wrote<T>(&self, polled: &Poll<T>) {
        self.blocked.store(polled.is_pending(), Ordering::Relaxed);
        self.written.fetch_add(1, Ordering::Relaxed);
    }

    fn is_idle(&self) -> bool {
        self.calls.load(Ordering::Relaxed) == 0 && !self.blocked.load(Ordering::Relaxed)
    }
}

/// A running call.
pub(super) struct CallGuard(Arc<InFlight>);

impl Drop for CallGuard {
    fn drop(&mut self) {
        self.0.calls.fetch_sub(1, Ordering::Relaxed);
    }
}

/// An input that reports its end only when nothing is in flight.
pub(super) struct DrainedInput<R> {
    input: R,
    in_flight: Arc<InFlight>,
    /// Set after the input has ended: when to check again, and the number of writes at that time.
    ending: Option<(Pin<Box<Sleep>>, u64)>,
}

impl<R> DrainedInput<R> {
    /// Wraps an input; `in_flight` counts its calls.
    pub fn over(input: R, in_flight: Arc<InFlight>) -> Self {
        Self { input, in_flight, ending: None }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for DrainedInput<R> {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let Self { input, in_flight, ending } = self.get_mut();
        if ending.is_none() {
            let before = buffer.filled().len();
            ready!(Pin::new(input).poll_read(context, buffer))?;
            if buffer.filled().len() > before || buffer.remaining() == 0 {
                return Poll::Ready(Ok(()));
            }
        }
        let (timer, seen) = ending.get_or_insert_with(|| (Box::pin(sleep(QUIET)), u64::MAX));
        loop {
            ready!(timer.as_mut().poll(context));
            let written = in_flight.written.load(Ordering::Relaxed);
            if in_flight.is_idle() && written == *seen {
                return Poll::Ready(Ok(()));
            }
            *seen = written;
            timer.as_mut().reset(Instant::now() + QUIET);
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, empty};
    use tokio::time::timeout;

    use super::*;

    // The protocol's library itself waits for five seconds, so a test of the program would have to take longer.
    #[test]
    fn the_end_is_seen_when_the_last_call_is_answered() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        runtime.block_on(async {
            let in_flight = Arc::new(InFlight::default());
            let call = in_flight.call();
            let mut input = DrainedInput::over(empty(), Arc::clone(&in_flight));
            let mut buffer = [0; 8];
            assert!(timeout(QUIET * 6, input.read(&mut buffer)).await.is_err(), "a call is in flight");
            drop(call);
            let end = timeout(QUIET * 100, input.read(&mut buffer)).await;
            assert_eq!(end.expect("it ends").expect("a read"), 0);
        });
    }
}
