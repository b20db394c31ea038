"""Whether slow clients do harm: python3 slow.py http://127.0.0.1:8080 [--clients 300] [--seconds 60]

A third of the clients send the head of a request a byte at a time, a third a body, a third ask for a large answer and
read none of it. Meanwhile one ordinary client asks for a page ten times a second. Prints how long that took, before and
meanwhile, how many slow clients the server has given up, and how many still hold a connection at the end.
"""

import argparse
import asyncio
import socket
import time
import urllib.parse

PAGE = "/search?q=museum"
LARGE = "/api/openapi.json"


async def slow(place, kind, end, tally):
    request = {
        "head": f"GET {PAGE} HTTP/1.1\r\nHost: {place[0]}\r\nX-Slow: ",
        "body": f"POST /api/v1/geoparse HTTP/1.1\r\nHost: {place[0]}\r\nContent-Type: text/plain\r\nContent-Length: 9999\r\n\r\n",
        # Asked so often that no buffer on the way holds all answers.
        "read": f"GET {LARGE} HTTP/1.1\r\nHost: {place[0]}\r\n\r\n" * 200,
    }[kind]
    loop = asyncio.get_running_loop()
    with socket.socket() as ours:
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        ours.setblocking(False)
        await loop.sock_connect(ours, place)
        await loop.sock_sendall(ours, request.encode())
        while time.monotonic() < end:
            await asyncio.sleep(3)
            try:
                # A server that has given up either has closed the connection or resets it.
                if kind != "read" and not ours.recv(4096):
                    break
            except BlockingIOError:
                pass
            except OSError:
                break
            try:
                ours.send(b"x")
            except BlockingIOError:
                pass
            except OSError:
                break
        else:
            tally[kind, "held"] += 1
            return
        tally[kind, "given up"] += 1


async def ordinary(place, seconds):
    took, failed, end = [], 0, time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.perf_counter()
        try:
            reader, writer = await asyncio.open_connection(*place)
            writer.write(f"GET {PAGE} HTTP/1.1\r\nHost: {place[0]}\r\nConnection: close\r\n\r\n".encode())
            answer = await asyncio.wait_for(reader.read(), 30)
            writer.close()
            failed += not answer.startswith(b"HTTP/1.1 200")
        except (OSError, TimeoutError):
            failed += 1
        took.append(1000 * (time.perf_counter() - began))
        await asyncio.sleep(0.1)
    took.sort()
    return f"{len(took)} asked, {failed} failed, p50 {took[len(took) // 2]:.1f} ms, p99 {took[int(0.99 * len(took))]:.1f} ms, most {took[-1]:.1f} ms"


async def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("server")
    parser.add_argument("--clients", type=int, default=300)
    parser.add_argument("--seconds", type=int, default=60)
    arguments = parser.parse_args()
    address = urllib.parse.urlsplit(arguments.server)
    place = (address.hostname, address.port)
    print("alone:    ", await ordinary(place, 10))
    tally = {(kind, fate): 0 for kind in ("head", "body", "read") for fate in ("given up", "held")}
    end = time.monotonic() + arguments.seconds
    kinds = ["head", "body", "read"] * (arguments.clients // 3)
    crowd = [asyncio.create_task(slow(place, kind, end, tally)) for kind in kinds]
    print("meanwhile:", await ordinary(place, arguments.seconds))
    await asyncio.gather(*crowd, return_exceptions=True)
    print(", ".join(f"{kind} {fate}: {count}" for (kind, fate), count in tally.items()))


if __name__ == "__main__":
    asyncio.run(main())
