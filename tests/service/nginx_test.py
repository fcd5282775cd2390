#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""kiln serve behind nginx, by examples/serve.nginx as it is but for its ports; skipped (77) where there is no nginx.
    nginx_test.py --kiln build/kiln"""
import argparse
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import serve_test
from serve_test import SLOW, Service, triangle

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NGINX = shutil.which('nginx') or shutil.which('nginx', path='/usr/sbin')
TOKEN = 'a-token-of-the-nginx-test'


def free_port():
    with socket.socket() as one:
        one.bind(('127.0.0.1', 0))
        return one.getsockname()[1]


class Proxied(Service):
    """The service, asked through nginx."""

    def __init__(self, *words):
        self.around = tempfile.TemporaryDirectory()
        folder = self.around.name
        pathlib.Path(folder, 'tokens').write_text(TOKEN + '\n')
        super().__init__('-q', '--token', folder + '/tokens', '--behind-proxy', *words)
        self.token, outside = TOKEN, free_port()
        text = (ROOT / 'examples/serve.nginx').read_text()
        assert '8590' in text and '127.0.0.1:8080' in text
        text = text.replace('8590', str(self.port)).replace('8080', str(outside))
        pathlib.Path(folder, 'nginx.conf').write_text(
            f'daemon off; pid {folder}/pid; error_log {folder}/error.log;\nevents {{}}\nhttp {{\naccess_log off;\n'
            + ''.join(f'{kind}_temp_path {folder}/{kind};\n' for kind in ('client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'))
            + text + '}\n')
        self.nginx = subprocess.Popen([NGINX, '-e', folder + '/error.log', '-c', folder + '/nginx.conf'])
        self.inside, self.port = self.port, outside
        for _ in range(200):
            try:
                socket.create_connection(('127.0.0.1', outside), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(pathlib.Path(folder, 'error.log').read_text())

    def end(self):
        self.nginx.terminate()
        self.nginx.wait(20)
        self.around.cleanup()
        return super().end()


class Behind(unittest.TestCase):
    def test_pictures_events_and_errors_come_through(self):
        with Proxied('--max-jobs', '2') as service:
            picture = service.render(width=40, format='ppm')
            self.assertEqual(picture.status, 200, picture.body)
            self.assertEqual(picture.body[:5], b'P6\n40')
            self.assertRegex(picture.headers['Kiln-Pixel-Hash'], '^[0-9a-f]{64}$')
            self.assertEqual(service.render('<flame').json()['error']['code'], 3)
            self.assertEqual(service.ask('GET', '/health', token=False).status, 200)
            self.assertEqual(service.ask('GET', '/', token='x' * 32).status, 401)
            self.assertEqual(service.render(triangle() + ' ' * (2 << 20)).status, 413)
            # what a client says of itself makes it no other one
            path = service.begin(**SLOW)
            answers = [service.ask('POST', '/jobs', triangle(), {'X-Forwarded-For': f'10.0.0.{i}'}).status for i in range(2)]
            self.assertEqual(answers, [202, 429])
            with service.socket(service.head(f'GET {path}/events')) as events:
                text = b''
                while text.count(b'event: progress') < 2:  # while it goes on: nginx keeps nothing back
                    more = events.recv(1 << 16)
                    self.assertTrue(more, text)
                    text += more
                service.ask('DELETE', path)
                while b'event: cancelled' not in text:
                    more = events.recv(1 << 16)
                    self.assertTrue(more, text)
                    text += more

    def test_whoever_leaves_nginx_leaves_kiln(self):
        with Proxied() as service:
            flame = triangle().encode()
            query = 'width=2000&quality=2000'
            one = service.socket(service.head('POST /render?' + query, f'Content-Length: {len(flame)}') + flame)
            while service.health()['rendering'] == 0:
                time.sleep(0.02)
            one.close()
            begun = time.monotonic()
            while service.health()['rendering'] and time.monotonic() < begun + 20:
                time.sleep(0.02)
            self.assertLess(time.monotonic() - begun, 5)


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--kiln', required=True)
    known, rest = parser.parse_known_args()
    if not NGINX:
        print('skipped: no nginx')
        sys.exit(77)
    serve_test.KILN = os.path.abspath(known.kiln)
    unittest.main(argv=[sys.argv[0], *rest], verbosity=1)
