-- SPDX-License-Identifier: MIT
-- What wrk sends: one body, with pauses of MILLISECONDS on average if that is given; the results are one line of JSON.

local file = assert(io.open(os.getenv("BODY"), "rb"))
wrk.method, wrk.body = "POST", file:read("*a")
wrk.headers["Content-Type"] = "application/json"
file:close()

local pause = tonumber(os.getenv("MILLISECONDS") or "0")
if pause > 0 then
  function delay() return math.random(0, 2 * pause) end
end

function done(summary, latency)
  local failed = summary.errors
  io.write(string.format('{"answers":%d,"seconds":%f,"median":%f,"p99":%f,"errors":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    failed.connect + failed.read + failed.write + failed.status + failed.timeout))
end
