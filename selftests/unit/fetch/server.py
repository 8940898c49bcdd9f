#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
#
# server.py FOLDER: HTTPS servers on 127.0.0.1 that misbehave in the way that the path of a
# request names. FOLDER has the certificates NAME.pem of these servers, and in it a line
# "NAME PORT" for each is written to the file "ports". A request for /MODE/FILE is answered
# with the content of FOLDER/www/FILE in the way of MODE; "log" gets a line for each.

import gzip
import os
import socket
import ssl
import struct
import sys
import threading
import time

folder = sys.argv[1]
log_lock = threading.Lock()


def log(text):
    with log_lock, open(os.path.join(folder, 'log'), 'a') as file:
        file.write(text + '\n')


def content(name):
    with open(os.path.join(folder, 'www', name), 'rb') as file:
        return file.read()


def answer(status, headers, body=b''):
    lines = ['HTTP/1.1 ' + status, 'Connection: close']
    lines += ['%s: %s' % header for header in headers.items()]
    return '\r\n'.join(lines).encode() + b'\r\n\r\n' + body


def whole(body, status='200 OK', **headers):
    headers = {key.replace('_', '-'): value for key, value in headers.items()}
    headers.setdefault('Content-Length', len(body))
    return answer(status, headers, body)


class Request:
    """A request, with the server's side of the connection."""

    def __init__(self, connection):
        self.connection = connection
        text = b''
        while b'\r\n\r\n' not in text:
            part = connection.recv(65536)
            if not part:
                raise OSError('no request')
            text += part
        lines = text.decode('latin-1').split('\r\n')
        self.path = lines[0].split(' ')[1]
        self.headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(':')
            self.headers[name.lower()] = value.strip()
        parts = self.path.split('?')[0].split('/')
        self.mode, self.file = parts[1], parts[2]

    def send(self, data):
        self.connection.sendall(data)

    def reset(self):
        """End the connection with a TCP reset, in the middle of the answer."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                   struct.pack('ii', 1, 0))
        os.close(self.connection.detach())


def mode_good(request, body):
    request.send(whole(body))


def mode_etag(request, body):
    tag = '"%d-%x"' % (len(body), sum(body))
    if request.headers.get('if-none-match') == tag:
        request.send(answer('304 Not Modified', {'ETag': tag}))
    else:
        request.send(whole(body, ETag=tag))


def mode_date(request, body):
    date = 'Wed, 25 Nov 2026 08:00:00 GMT'
    if request.headers.get('if-modified-since') == date:
        request.send(answer('304 Not Modified', {}))
    else:
        request.send(whole(body, Last_Modified=date))


def mode_fresh(request, body):
    request.send(whole(body, Cache_Control='public, max-age=7200'))


def mode_ages(request, body):
    """Two headers with max-age."""
    request.send(whole(body, Cache_Control='max-age=7200\r\nCache-Control: max-age=0'))


def mode_nostore(request, body):
    """The directives of two headers."""
    request.send(whole(body, Cache_Control='no-store\r\nCache-Control: max-age=7200'))


def mode_negative(request, body):
    request.send(whole(body, Cache_Control='max-age=-1'))


def mode_gzip(request, body):
    request.send(whole(gzip.compress(body), Content_Encoding='gzip'))


def mode_moved(request, _body):
    request.send(answer('302 Found', {'Location': '/good/' + request.file}))


def mode_private(request, body):
    given = request.headers.get('x-key', request.headers.get('authorization', ''))
    # "user:word" and "user:wo: rd" in base 64.
    if given in ('letmein', 'Basic dXNlcjp3b3Jk', 'Basic dXNlcjp3bzogcmQ='):
        request.send(whole(body))
    else:
        request.send(whole(b'', '401 Unauthorized'))


def mode_leak(request, _body):
    """Redirect to another server, which gets no credential."""
    with open(os.path.join(folder, 'ports')) as file:
        ports = dict(line.split() for line in file)
    request.send(answer('302 Found', {'Location': 'https://localhost:%s/private/%s' %
                                      (ports['other'], request.file)}))


def mode_cut(request, body):
    request.send(answer('200 OK', {'Content-Length': len(body)}, body[:len(body) // 2]))


def mode_long(request, body):
    request.send(answer('200 OK', {'Content-Length': len(body) + 1000}, body))


def mode_chunks(request, body):
    """Chunks without the last one."""
    request.send(answer('200 OK', {'Transfer-Encoding': 'chunked'},
                        b'%x\r\n' % len(body) + body + b'\r\n'))


def mode_closed(request, body):
    """The end of the connection ends the body, and TLS is not closed properly."""
    request.send(answer('200 OK', {}, body[:len(body) // 2]))
    os.close(request.connection.detach())


def mode_reset(request, body):
    request.send(answer('200 OK', {'Content-Length': len(body)}, body[:len(body) // 2]))
    time.sleep(0.2)
    request.reset()


def mode_silent(_request, _body):
    time.sleep(60)


def mode_drip(request, body):
    request.send(answer('200 OK', {'Content-Length': len(body)}))
    for byte in body:
        request.send(bytes([byte]))
        time.sleep(0.1)


def mode_steady(request, _body):
    """Fast enough, and without an end."""
    request.send(answer('200 OK', {}))
    while True:
        request.send(b'192.0.2.1\n' * 50)
        time.sleep(0.5)


def mode_endless(request, _body):
    request.send(answer('200 OK', {}))
    while True:
        request.send(b'192.0.2.1\n' * 1000)


def mode_announced(request, _body):
    request.send(answer('200 OK', {'Content-Length': 1 << 40}))
    time.sleep(30)


def mode_bomb(request, _body):
    request.send(whole(gzip.compress(b'#' * (64 << 20)), Content_Encoding='gzip'))


def mode_html(request, _body):
    request.send(whole(b'<!DOCTYPE html>\n<html><body>192.0.2.1</body></html>\n'))


def mode_binary(request, _body):
    request.send(whole(b'\x7fELF' + bytes(range(256)) * 8))


def mode_words(request, _body):
    request.send(whole(b'Sorry, the service is not available.\nTry again later.\n' * 20))


def mode_empty(request, _body):
    request.send(whole(b''))


def mode_comments(request, _body):
    request.send(whole(b'# no entry today\n'))


def mode_absent(request, _body):
    request.send(whole(b'<html>not here</html>', '404 Not Found'))


def mode_broken(request, _body):
    request.send(whole(b'oops', '500 Internal Server Error'))


def mode_busy(request, _body):
    request.send(whole(b'', '429 Too Many Requests', Retry_After='3000'))


def mode_part(request, body):
    request.send(whole(body[:100], '206 Partial Content'))


def mode_never(request, _body):
    """Nothing changed, says the server in any case."""
    request.send(answer('304 Not Modified', {}))


def mode_same(request, body):
    """The tag never changes, and the body does."""
    request.send(whole(body, ETag='"same"'))


def mode_control(request, body):
    """A tag that must not come back."""
    request.send(whole(body, ETag='"\x01"'))


def mode_nowhere(request, _body):
    """A redirection without a location is not followed."""
    request.send(whole(b'', '302 Found'))


def mode_loop(request, _body):
    request.send(answer('302 Found', {'Location': request.path}))


def mode_plain(request, _body):
    """Redirect to a server that has the list, and no TLS."""
    with open(os.path.join(folder, 'ports')) as file:
        ports = dict(line.split() for line in file)
    request.send(answer('302 Found', {'Location': 'http://localhost:%s/good/%s' %
                                      (ports['http'], request.file)}))


def mode_file(request, _body):
    request.send(answer('302 Found', {'Location': 'file:///etc/passwd'}))


def mode_garbage(request, _body):
    request.send(b'\x00\x01\x02 this is not HTTP\r\n\r\n192.0.2.1\n')


def serve(connection, context):
    try:
        with context.wrap_socket(connection, server_side=True) as secure:
            request = Request(secure)
            log('%s %s %s' % (request.mode, request.file,
                              'if-none-match' in request.headers or
                              'if-modified-since' in request.headers))
            globals()['mode_' + request.mode](request, content(request.file))
            if secure.fileno() >= 0:
                secure.unwrap()
    except (OSError, ValueError):
        pass


def serve_plain(connection):
    with connection:
        request = Request(connection)
        log('http %s' % request.file)
        request.send(whole(content(request.file)))


def garble(connection):
    with connection:
        connection.recv(65536)
        connection.sendall(b'220 mail.example ESMTP\r\n' * 10)


def listen(name):
    server = socket.create_server(('127.0.0.1', 0), backlog=64)
    path = os.path.join(folder, name + '.pem')
    context = None
    if os.path.exists(path):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)

    def accept():
        while True:
            connection, _ = server.accept()
            if context:
                task = (serve, (connection, context))
            else:
                task = (serve_plain if name == 'http' else garble, (connection,))
            threading.Thread(target=task[0], args=task[1], daemon=True).start()

    threading.Thread(target=accept).start()
    return '%s %d\n' % (name, server.getsockname()[1])


lines = [listen(name) for name in
         ('good', 'other', 'expired', 'future', 'elsewhere', 'unknown', 'mail', 'http')]
with open(os.path.join(folder, 'ports.new'), 'w') as ports:
    ports.writelines(lines)
os.rename(os.path.join(folder, 'ports.new'), os.path.join(folder, 'ports'))
