-- For wrk: asks for the addresses of a file, each drawn at random, and tells what came of it in one line.
--   wrk -s addresses.lua BASE -- FILE SEED

local requests = {}

function init(args)
  for line in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("GET", line)
  end
  math.randomseed(tonumber(args[2]))
end

function request()
  return requests[math.random(#requests)]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'result {"s": %f, "answers": %d, "bytes": %d, "failures": %d, "p50": %f, "p99": %f, "p99.9": %f, "most": %f}\n',
    summary.duration / 1e6, summary.requests, summary.bytes, errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, latency:percentile(99.9) / 1000, latency.max / 1000))
end
