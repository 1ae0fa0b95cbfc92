"""Tricks below and beside the API's description: paths, headers, bodies and whole requests, as bytes or texts."""

import gzip

PATHS = (
    "/v1/../v1/me", "/v1/%2e%2e/v1/me", "/v1//me", "//v1/me", "/v1/me/", "/v1/me%00", "/v1/me%0d%0aX-Evil:%201",
    "/%ff%fe", "/v1/rooms/%ff/tables", "/v1/rooms/draw%2f..%2f..%2fme/tables", "/v1/tables/..%2f..%2f/replay",
    "/v1/tables/%00/replay", "/v1/private-rooms/%F0%9F%8D%80%F0%9F/qr.svg", "/v1/rooms/%C0%AE%C0%AE/tables",
    "/v1/rooms?cursor=%ff", "/v1/rooms?%00=%00", "/v1/me?" + "a=1&" * 2_000, "/" + "a" * 9_000, "/" + "%41" * 3_000,
    "http://elsewhere.test/v1/me", "*", "/v1/openapi.json/..", "/v1/rooms/draw/tables?limit=99999999999999999999999",
    "/v1/rooms/draw/tables?limit=1&limit=x", "/v1/me;/../x", "/v1/.git/config", "/static/../../../../etc/passwd",
    "/v1/me#fragment", "/v1/ws", "/v1/docs/../../etc/passwd", "/v1/rooms/\u0131/tables",
)  # fmt: skip

HEADERS = (
    "Authorization: Bearer", "Authorization: Bearer ", "Authorization: Bearer a b c", "Authorization: Basic YTpi",
    "Authorization: bearer \N{SNOWMAN}", "Authorization: Bearer " + "A" * 8_000, "Authorization: Bearer a.b.c\x00",
    "X-Forwarded-For: " + "1.2.3.4, " * 1_000, "X-Forwarded-For: ::1%lo, [::1]:80", "X-Forwarded-For: \N{SNOWMAN}",
    "Content-Length: -1", "Content-Length: 1e9", "Content-Length: 99999999999999999999", "Content-Length: 5, 6",
    "Transfer-Encoding: chunked, identity", "Transfer-Encoding: xchunked", "Expect: 100-continue", "Upgrade: h2c",
    "Upgrade: websocket", "Connection: Upgrade, HTTP2-Settings", "Host: elsewhere.test", "Cookie: " + "a=b; " * 1_000,
    "Range: bytes=0-0,0-0", "If-None-Match: *", "Accept: text/html;q=nan", "Accept-Language: " + "x" * 5_000,
    "Origin: null", "Origin: https://evil.test", "Idempotency-Key: \N{SNOWMAN}", "Idempotency-Key: " + "k" * 300,
    "X-HTTP-Method-Override: DELETE", "X: " + "y" * 70_000, " folded: header", "no colon at all", ": no name",
    "Na\x01me: x",
)  # fmt: skip

BODIES = (
    b"", b" ", b"null", b"[]", b'"x"', b"{}{}", b'{"bot":', b'{"bot":true,"bot":false}', b'{"bot": NaN}',
    b'{"bot": 1e999}', b'{"language": "\xff"}', b'{"language": "\\ud800"}', b"\xef\xbb\xbf{}", "{}".encode("utf-16"),
    gzip.compress(b"{}"), b"[" * 16_000, b'{"a":' * 3_000, b'{"bot": ' + b"9" * 16_000 + b"}", b"x" * 16_385,
    b'{"__proto__": {"bot": true}}', b'{"bot": "true"}', b'{"language": "en\\u0000"}',
    b"<!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/passwd'>]><x>&y;</x>",
)  # fmt: skip

WHOLE = (
    b"\r\n", b"\x00" * 100, b"GET\r\n\r\n", b"GET /v1/me\r\n\r\n", b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"get /v1/me HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /v1/me HTTP/1.1\r\n\r\n", b"GET /v1/me HTTP/1.1\nHost: x\n\n", b"GET  /v1/me  HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /v1/me HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
    b"POST /v1/guests HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n",
    b"POST /v1/guests HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n{}",
    b"POST /v1/guests HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    b"POST /v1/guests HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"0\r\n\r\nGET /v1/me HTTP/1.1\r\n\r\n",
    b"A" * 100_000,
)  # fmt: skip

METHODS = (
    "TRACE", "CONNECT", "OPTIONS", "PROPFIND", "PATCH", "HEAD", "X" * 100, "GE\tT", "POST",
)  # fmt: skip

HOSTS = (
    "", " ", "[", "[::1", "]:80", "[::1]:x", "a:b:c", "evil.test:99999999", "user:word@evil.test", "%", "%00", "\x00",
    "\x7f", "a" * 300, "a." * 5_000, "evil.test/..", "evil.test?x=", "evil.test#", "\u2603.test", "xn--\u0131",
    "127.0.0.1", "localhost", "<b>evil</b>", "'\"><svg/onload=1>", "evil.test, other.test",
)  # fmt: skip
