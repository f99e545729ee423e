"""One connection to a broker, for publishing only, used once: a narrow face, so that the library can be exchanged.

`open_link` connects and returns a `Link`; `Link.send` hands one message over at once and returns a `Delivery`, which
knows later what the broker answered; `Link.lost` says when and why the connection is over. Messages arrive in the order
of `send`. After a loss nothing of the link is used again: what was not acknowledged is sent anew over the next one.

Underneath is aiomqtt 2 over paho. What they leave open is closed here: a publish does not wait for its time-out when
the connection breaks; a refusal in the acknowledgement is not taken for delivery; the broker's limits are kept; a
refused client certificate is told at once; connecting can be cancelled; a failure leaves nothing in the event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import socket
import ssl
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, Literal

import aiomqtt
from paho.mqtt.client import (
    MQTT_CLEAN_START_FIRST_ONLY,
    MQTT_ERR_SUCCESS,
    PUBLISH,
    Client,
    ConnectFlags,
    DisconnectFlags,
    MQTTMessage,
)
from paho.mqtt.enums import MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from tablectl.surveillance.broker import BrokerSettings, BrokerTrouble, Delivery, Protocol, Session, Trouble, Will

__all__ = ["BrokerClient", "Link", "open_client", "open_link"]

_UNSUPPORTED_VERSION = 0x84
_TAKEN_OVER = 0x8E
_TOO_LARGE = 0x95
_OVERHEAD = 64
"""More bytes than a packet has beside topic and payload."""
_AT_ONCE = 65_536
"""So many bytes of messages are joined at the most."""


class Link:
    """One connection; made by `open_link`, ended by `close` or `abort`.

    `lost` is done, with what happened as its result, as soon as the connection is over, whoever ended it. `window` is
    how many messages may be under way, `largest` the largest packet in bytes that the broker takes (None: any).
    """

    def __init__(self, client: BrokerClient) -> None:
        self._client = client
        self.protocol = client.protocol
        self.lost = client.lost
        self.window = client.window
        self.largest = client.largest

    def send(self, topic: str, payload: bytes, *, retain: bool = False, content_type: str | None = None) -> Delivery:
        """Hand one message over with QoS 1, at once and without waiting; on a lost link it is never answered."""
        return self._client.send(topic, payload, retain, content_type)

    def hold(self) -> None:
        """Keep what is sent from now on until `release`, so that all of it leaves in as few pieces as it fits into."""
        self._client.holding = True

    def release(self) -> None:
        """Let what was held leave now."""
        self._client.release()

    def give_up(self, why: str) -> None:
        """Take the connection for lost, although nothing says so."""
        self._client.end(Trouble.LOST, why)

    async def close(self) -> None:
        """Say good-bye, so that the will is not published, and end the connection; does not wait for answers."""
        self._client.say_goodbye()
        await self._client.abandon()

    async def abort(self) -> None:
        """End the connection without a word: the broker publishes the will."""
        await self._client.abandon()


async def open_link(
    settings: BrokerSettings, *, client_id: str, will: Will, progress: Callable[[], None] = lambda: None
) -> Link:
    """Connect; `progress` is called when a message is answered or the link is lost. `BrokerTrouble` when it fails."""
    # No session is kept: the outbox knows what is to be sent again.
    return Link(await open_client(settings, Session(client_id=client_id, will=will, progress=progress)))


async def open_client(settings: BrokerSettings, session: Session) -> BrokerClient:
    """Connect as `settings.protocol` says; whoever gets the client ends it with `abandon`. `BrokerTrouble`."""
    if settings.protocol != "auto":
        return await _open(settings, settings.protocol, session)
    try:
        return await _open(settings, "5", session)
    except _VersionRefused:
        return await _open(settings, "3.1.1", session)


class _VersionRefused(BrokerTrouble):
    """The broker refused, or just hung up, in a way in which one that does not speak this version would."""


async def _open(settings: BrokerSettings, protocol: Protocol, session: Session) -> BrokerClient:
    context = None if settings.tls is None else await asyncio.to_thread(settings.tls.context)
    sock = await _dial(settings)
    # TLS takes the socket over; this second handle of the same connection can still be shut down.
    handle = sock.dup()
    try:
        client = BrokerClient(settings, protocol, session, context, sock)
        try:
            await client.enter(handle)
        except BaseException:
            await client.abandon()
            raise
    except BaseException:
        sock.close()
        raise
    finally:
        handle.close()
    return client


async def _dial(settings: BrokerSettings) -> socket.socket:
    """A connected socket; looks the name up and connects in a thread that a cancelled caller leaves behind."""
    loop = asyncio.get_running_loop()
    reply: asyncio.Future[socket.socket] = loop.create_future()

    def deliver(found: socket.socket | OSError) -> None:
        if reply.done():
            if isinstance(found, socket.socket):
                found.close()
        elif isinstance(found, socket.socket):
            reply.set_result(found)
        else:
            reply.set_exception(found)

    def dial() -> None:
        found: socket.socket | OSError
        try:
            found = socket.create_connection((settings.host, settings.port), settings.connect_timeout_s)
            found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except (OSError, UnicodeError) as exc:
            found = exc if isinstance(exc, OSError) else OSError(f"{settings.host!r} is not a host name")
        try:
            loop.call_soon_threadsafe(deliver, found)
        except RuntimeError:  # the loop is closed: nobody waits any more
            deliver(found)

    threading.Thread(target=dial, name="mqtt-dial", daemon=True).start()
    try:
        return await reply
    except OSError as exc:
        raise BrokerTrouble(
            Trouble.UNREACHABLE, f"the broker {settings.name} cannot be reached: {exc.strerror or exc}."
        ) from exc
    except asyncio.CancelledError:
        if reply.done() and not reply.cancelled() and reply.exception() is None:
            reply.result().close()  # it came, and nobody has taken it
        raise


def _secured(sock: socket.socket, context: ssl.SSLContext | None, settings: BrokerSettings) -> socket.socket:
    """The connection with TLS over it, if that is wanted; blocks."""
    if context is None:
        return sock
    secured = context.wrap_socket(sock, server_hostname=settings.host, do_handshake_on_connect=False)
    try:
        secured.settimeout(settings.connect_timeout_s)
        secured.do_handshake()
    except BaseException:
        secured.close()
        raise
    return secured


class _LastWords(logging.Logger):
    """Where the library's log goes: nowhere, but its last complaint explains a loss better than its error codes."""

    def __init__(self) -> None:
        super().__init__("mqtt", logging.CRITICAL + 1)
        self.words = ""

    def log(self, level: int, msg: object, *args: object, **_: Any) -> None:
        if level >= logging.ERROR:
            self.words = str(msg) % args if args else str(msg)


class _ContentType(Properties):
    """The properties of a message that has nothing but a content type, packed once: it goes with every message."""

    def __init__(self, content_type: str) -> None:
        super().__init__(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        self.ContentType = content_type
        packed: bytes = super().pack()  # type: ignore[no-untyped-call]
        self.__dict__["pack"] = lambda: packed  # the parent takes MQTT's own attributes only


class BrokerClient(aiomqtt.Client):
    """The library's client with its gaps closed; the private parts of it used here are those of the locked version."""

    def __init__(
        self,
        settings: BrokerSettings,
        protocol: Protocol,
        session: Session,
        context: ssl.SSLContext | None,
        sock: socket.socket,
    ) -> None:
        five = protocol == "5"
        self._words = _LastWords()
        properties = None
        if five and session.kept_s:
            properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
            properties.SessionExpiryInterval = session.kept_s
        will = session.will
        super().__init__(
            settings.host,
            settings.port,
            identifier=session.client_id,
            protocol=aiomqtt.ProtocolVersion.V5 if five else aiomqtt.ProtocolVersion.V311,
            will=None if will is None else aiomqtt.Will(will.topic, will.payload, qos=1, retain=True),
            clean_start=not session.kept_s if five else MQTT_CLEAN_START_FIRST_ONLY,
            clean_session=None if five else not session.kept_s,
            properties=properties,
            timeout=settings.connect_timeout_s,
            keepalive=settings.keepalive_s,
            max_inflight_messages=settings.window,
            logger=self._words,
        )
        secure = functools.partial(_secured, sock, context, settings)
        self._client._create_socket = secure  # type: ignore[method-assign]  # noqa: SLF001
        self._client._handle_pubackcomp = self._take_answer  # type: ignore[method-assign]  # noqa: SLF001
        self._read_one = self._client.loop_read
        self._client.loop_read = self._read  # type: ignore[method-assign]
        self._name = settings.name
        # What a broker says against our certificate can get lost when it hangs up.
        wants = "wants" if settings.tls is None or settings.tls.certificate is None else "knows the CA of"
        self._advice = "" if settings.tls is None else f" If it goes on so: see whether it {wants} our certificate."
        self._session = session
        self._deliveries: dict[int, Delivery] = {}
        self._later: deque[tuple[Delivery, bytes, bool, str | None]] = deque()
        self._typed_as: dict[str, Properties] = {}
        self._refusal: BrokerTrouble | None = None
        self.holding = False
        self.protocol = protocol
        self.lost: asyncio.Future[BrokerTrouble] = self._loop.create_future()
        self.window = settings.window
        self.largest: int | None = None
        self._watch()

    async def enter(self, handle: socket.socket) -> None:
        """Connect over the dialled socket; `handle` is another handle of it. `BrokerTrouble` when it fails."""
        entering = self._loop.create_task(self.__aenter__())
        try:
            await asyncio.shield(entering)
        except asyncio.CancelledError:
            # The handshake runs in a thread, which only the end of the connection ends.
            with contextlib.suppress(OSError):
                handle.shutdown(socket.SHUT_RDWR)
            await asyncio.wait([entering])
            entering.exception()
            raise
        except (aiomqtt.MqttError, ssl.SSLError, ssl.CertificateError) as exc:
            raise self._refusal or self._why_not(exc) from exc
        # What a loop in another thread would be woken by: nobody reads it, and it costs a system call for each message.
        self._client._reset_sockets(sockpair_only=True)  # noqa: SLF001
        # The library starts with a new future when the connection has been lost since: what is lost stays lost.
        self._watch()

    def send(self, topic: str, payload: bytes, retain: bool, content_type: str | None) -> Delivery:
        """Hand a message over, see `Link.send`."""
        delivery = Delivery(topic)
        if self.largest is not None and len(payload) + len(topic.encode()) + _OVERHEAD > self.largest:
            delivery.code = _TOO_LARGE  # the broker would hang up, again and again
            return delivery
        if len(self._deliveries) < self.window:
            self._publish(delivery, payload, retain, content_type)
        else:
            self._later.append((delivery, payload, retain, content_type))
        return delivery

    def _publish(self, delivery: Delivery, payload: bytes, retain: bool, content_type: str | None) -> None:
        """Write a message with the library's own encoder, without the books that it keeps of each message.

        They are for sending again over another connection, which is never done here, and take longer than the rest.
        """
        number = self._client._mid_generate()  # noqa: SLF001
        topic, properties = delivery.topic.encode(), self._typed(content_type)
        held, self.holding = self.holding, True
        try:
            code = self._client._send_publish(number, topic, payload, 1, retain, properties=properties)  # noqa: SLF001
        finally:
            self.holding = held
        if code == MQTT_ERR_SUCCESS:
            self._deliveries[number] = delivery
        else:
            self.end(Trouble.LOST, f"a message was not taken (code {int(code)})")
        if not held:
            self.release()

    def release(self) -> None:
        """See `Link.release`; written at once, not when the loop comes round to it."""
        sock = self._client._sock  # noqa: SLF001
        if isinstance(sock, socket.socket) and self._client.want_write():
            self.holding = True
            try:
                self._join()
                self._client.loop_write()
                # Else a broker with Nagle's algorithm keeps its second answer back until our kernel, after 40 ms, says
                # that it has the first.
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
            except OSError as exc:
                self.end(Trouble.LOST, str(exc))
        self.holding = False
        if self._client.want_write():
            self._arm()

    def _join(self) -> None:
        """Make one piece of the messages that wait: the library writes each by itself, which the kernel sends alone."""
        waiting = self._client._out_packet  # noqa: SLF001
        if len(waiting) < 2 or any(packet["command"] != PUBLISH for packet in waiting):
            return
        if sum(packet["to_process"] for packet in waiting) > _AT_ONCE:
            return  # it copies what is left of a piece whenever the socket takes some of it
        first = waiting[0]
        first["packet"] = b"".join([packet["packet"][packet["pos"] :] for packet in waiting])
        first["pos"], first["to_process"] = 0, len(first["packet"])
        waiting.clear()
        waiting.append(first)

    def say_goodbye(self) -> None:
        """Tell the broker that this end of the connection is meant: no will."""
        with contextlib.suppress(OSError):
            self._client.disconnect()
            self._client.loop_write()

    async def abandon(self) -> None:
        """Close the socket and leave nothing behind in the loop."""
        self.end(Trouble.LOST, "we ended it")
        self._client._sock_close()  # noqa: SLF001
        # What the connecting thread asked of the loop comes before this.
        await asyncio.sleep(0)
        if self._misc_task is not None:
            self._misc_task.cancel()
            await asyncio.wait([self._misc_task])
            _seen(self._misc_task)

    def _typed(self, content_type: str | None) -> Properties | None:
        if content_type is None or self.protocol != "5":
            return None
        if (properties := self._typed_as.get(content_type)) is None:
            properties = self._typed_as[content_type] = _ContentType(content_type)
        return properties

    def _watch(self) -> None:
        """See to it that no future of the library can hold an exception that nobody looks at."""
        self._connected.add_done_callback(_seen)
        self._disconnected.add_done_callback(self._broken)

    def _broken(self, future: asyncio.Future[None]) -> None:
        if (exc := _seen(future)) is not None:
            self.end(Trouble.LOST, str(exc))
            self._hang_up(exc)

    def _hang_up(self, exc: BaseException) -> None:
        """Whoever waits for the connection to be confirmed waits in vain."""
        if not self._connected.done():
            self._connected.set_exception(aiomqtt.MqttError(str(exc)))

    def end(self, trouble: Trouble, why: str) -> None:
        """The connection is over; what is said first stands."""
        if not self.lost.done():
            self.lost.set_result(BrokerTrouble(trouble, f"the connection to the broker {self._name} is over: {why}."))
            self._session.progress()

    def _why_not(self, exc: BaseException) -> BrokerTrouble:
        """What a failed attempt to connect means."""
        why = self._words.words or str(exc) or type(exc).__name__
        if "timed out" in why:
            return BrokerTrouble(Trouble.UNREACHABLE, f"the broker {self._name} took the connection, then kept silent.")
        text = why.lower()
        if "certificate" in text or "alert" in text or isinstance(exc, ssl.SSLError):
            return BrokerTrouble(
                Trouble.CERTIFICATE,
                f"TLS with the broker {self._name} failed: {why}. Check the CA file, the validity and the name in the "
                "broker's certificate, and whether the broker knows the CA of ours.",
            )
        return _VersionRefused(
            Trouble.UNREACHABLE,
            f"the broker {self._name} ended the connection before it was confirmed ({why}).{self._advice}",
        )

    # Called by the libraries, in the thread of the loop ------------------------------------------------------------

    def _on_connect(
        self,
        client: Client,
        userdata: Any,
        flags: ConnectFlags,
        reason_code: ReasonCode,
        properties: Properties | None = None,
    ) -> None:
        if reason_code.is_failure:
            kind = _VersionRefused if reason_code.value == _UNSUPPORTED_VERSION else BrokerTrouble
            self._refusal = kind(
                Trouble.REFUSED,
                f"the broker {self._name} refuses the connection: {reason_code}. Check the table's certificate, the "
                "client id (the table's id) and the broker's access list.",
            )
        elif properties is not None:
            self.window = min(self.window, getattr(properties, "ReceiveMaximum", self.window))
            self.largest = getattr(properties, "MaximumPacketSize", None)
        super()._on_connect(client, userdata, flags, reason_code, properties)

    def _on_disconnect(
        self,
        client: Client,
        userdata: Any,
        flags: DisconnectFlags,
        reason_code: ReasonCode,
        properties: Properties | None = None,
    ) -> None:
        if flags.is_disconnect_packet_from_server and reason_code.value == _TAKEN_OVER:
            self.end(
                Trouble.TAKEN_OVER,
                "another client has connected with this table's id. Find out who: either two daemons run for this "
                "table or somebody else uses its certificate",
            )
        elif flags.is_disconnect_packet_from_server:
            self.end(Trouble.LOST, f"the broker ended it ({reason_code})")
        elif self._words.words or reason_code.getName() != "Unspecified error":
            self.end(Trouble.LOST, self._words.words or str(reason_code))
        else:
            self.end(Trouble.CLOSED, "the broker closed it without giving a reason")
        self._hang_up(aiomqtt.MqttCodeError(reason_code))
        super()._on_disconnect(client, userdata, flags, reason_code, properties)

    def _read(self, max_packets: int = 1) -> MQTTErrorCode:
        """Read what has come: as long as answers come, the next one may be there as well."""
        while True:
            waiting = len(self._deliveries)
            code = self._read_one(max_packets)
            if not 0 < len(self._deliveries) < waiting:
                return code

    def _take_answer(self, cmd: Literal["PUBACK", "PUBCOMP"]) -> MQTTErrorCode:
        """Take an acknowledgement: the message's number and, unless it is success, a reason code."""
        packet = self._client._in_packet["packet"]  # noqa: SLF001
        if cmd == "PUBACK" and len(packet) >= 2:
            self._answered(int.from_bytes(packet[:2]), packet[2] if len(packet) > 2 else 0)
        return MQTT_ERR_SUCCESS

    def _answered(self, number: int, code: int) -> None:
        if (delivery := self._deliveries.pop(number, None)) is not None:
            delivery.code = code
            if self._later and not self.lost.done():
                self._publish(*self._later.popleft())
            self._session.progress()

    def _on_message(self, client: Client, userdata: Any, message: MQTTMessage) -> None:
        self._session.arrived(message.topic, bytes(message.payload))

    def _on_socket_register_write(self, client: Client, userdata: Any, sock: Any) -> None:
        if not self.holding:
            self._loop.call_soon_threadsafe(self._arm)  # also called in the thread that connects

    def _arm(self) -> None:
        """Have the rest written once the socket takes more."""
        sock = self._client.socket()
        # A closed socket's number may belong to somebody else already.
        if sock is not None and self._client.want_write() and (number := sock.fileno()) >= 0:
            self._loop.add_writer(number, self._write)

    def _write(self) -> None:
        try:
            self._client.loop_write()
        except OSError as exc:
            self.end(Trouble.LOST, str(exc))


def _seen(future: asyncio.Future[Any]) -> BaseException | None:
    return None if future.cancelled() else future.exception()
