//! The lines between the parent and this worker: requests in, one event for each.

use std::io::{self, BufRead as _, Write as _};
use std::mem::MaybeUninit;
use std::time::Instant;

use dlbench_protocol::{Event, SystemUsage, Timing, WorkerRequest};

use crate::greeting;
use crate::workload::{Refusal, Workload};

/// Answers requests until the parent has enough, is gone, or something fails.
pub fn serve() {
    say(&Event::Hello(greeting::hello()));
    let mut workload = None;
    for line in io::stdin().lock().lines().map_while(Result::ok).filter(|line| !line.trim().is_empty()) {
        let answer = match serde_json::from_str(&line) {
            Ok(WorkerRequest::Finish) => return say(&Event::Done { device_memory_mib: None }),
            Ok(request) => answered(&request, &mut workload),
            Err(error) => Err(refused(format!("this is no request: {error}"))),
        };
        match answer {
            Ok(event) => say(&event),
            Err(Refusal { outcome, message }) => {
                let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
                return say(&Event::Failed { outcome: outcome.to_owned(), message });
            }
        }
    }
}

fn answered(request: &WorkerRequest, workload: &mut Option<Workload>) -> Result<Event, Refusal> {
    match (request, workload) {
        (WorkerRequest::Prepare { configuration }, workload) => {
            let (prepared, ready) = Workload::prepared(configuration)?;
            *workload = Some(prepared);
            Ok(Event::Ready(ready))
        }
        (WorkerRequest::Iterate { count }, Some(workload)) => iterated(workload, *count),
        _ => Err(refused("this worker does not do that, or nothing was prepared".to_owned())),
    }
}

fn refused(message: String) -> Refusal {
    Refusal { outcome: "unsupported", message }
}

/// Times iterations; candle has computed all of one when its call returns.
fn iterated(workload: &Workload, count: u32) -> Result<Event, Refusal> {
    let before = usage();
    let mut host_ns = Vec::new();
    let nanoseconds = |start: Instant| start.elapsed().as_nanos().try_into().unwrap_or(u64::MAX);
    if workload.timing == Timing::Throughput {
        let start = Instant::now();
        for _ in 0..count {
            workload.step()?;
        }
        host_ns.push(nanoseconds(start));
    } else {
        for _ in 0..count {
            let start = Instant::now();
            workload.step()?;
            host_ns.push(nanoseconds(start));
        }
    }
    let used = before.zip(usage()).map(|(before, after)| SystemUsage {
        minor_faults: after.minor_faults.saturating_sub(before.minor_faults),
        major_faults: after.major_faults.saturating_sub(before.major_faults),
        system_ns: after.system_ns.saturating_sub(before.system_ns),
    });
    Ok(Event::Samples { host_ns, device_ns: None, loss: None, diverged: false, usage: used })
}

/// What the system has done for this process so far.
fn usage() -> Option<SystemUsage> {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the call fills the structure that it is given, whose every bit pattern is valid.
    let usage = unsafe { (libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr()) == 0).then(|| usage.assume_init())? };
    let system = usage.ru_stime;
    Some(SystemUsage {
        minor_faults: usage.ru_minflt.try_into().ok()?,
        major_faults: usage.ru_majflt.try_into().ok()?,
        system_ns: u64::try_from(system.tv_sec).ok()? * 1_000_000_000 + u64::try_from(system.tv_usec).ok()? * 1000,
    })
}

fn say(event: &Event) {
    let mut out = io::stdout().lock();
    // A parent that is gone hears nothing.
    let _ = serde_json::to_writer(&mut out, event).map_err(io::Error::from).and_then(|()| writeln!(out));
    let _ = out.flush();
}
