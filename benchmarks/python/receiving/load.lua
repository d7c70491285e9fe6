-- SPDX-License-Identifier: MIT
-- What wrk sends: the lines of BODY in turn, with pauses of MILLISECONDS on average if given; the results are one line of JSON.

wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
local requests, sent = {}, 0

function init()
  for body in io.lines(os.getenv("BODY")) do
    requests[#requests + 1] = wrk.format(nil, nil, nil, body)
  end
end

function request()
  sent = sent + 1
  return requests[(sent - 1) % #requests + 1]
end

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
