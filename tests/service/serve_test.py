#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""kiln serve from outside, over real sockets: pictures, errors, limits, clients that go, stall or send nonsense.
    serve_test.py --kiln build/kiln [TEST...]"""
import argparse
import http.client
import json
import os
import random
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse

KILN = 'kiln'


def triangle(attributes='', xform=''):
    corner = '<xform weight="1" color="%s" linear="1" coefs="0.5 0 0 0.5 %s"' + xform + '/>\n'
    return ('<flame name="t" size="48 32" quality="20" scale="12" ' + attributes + '>\n'
            + corner % (0, '0 0') + corner % (0.5, '0.5 0') + corner % (1, '0 0.5')
            + '<color index="0" rgb="255 128 0"/>\n</flame>\n')


SLOW = {'width': 2000, 'quality': 2000}  # minutes


class Answer:
    def __init__(self, response):
        self.status, self.headers, self.body = response.status, response.headers, response.read()

    def json(self):
        return json.loads(self.body)

    def error(self):
        return self.json()['error']


class Service:
    """kiln serve in a folder of its own."""

    def __init__(self, *words, port=0, environment=None):
        self.folder = tempfile.TemporaryDirectory()
        self.temporary = tempfile.TemporaryDirectory()
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [KILN, 'serve', '--serve', f'127.0.0.1:{port}', '--backend', 'cpu', '--threads', '2', *words],
            cwd=self.folder.name, stdout=subprocess.PIPE, stderr=self.log, text=True,
            env=dict(os.environ, TMPDIR=self.temporary.name, XDG_RUNTIME_DIR=self.temporary.name, **(environment or {})))
        line = self.process.stdout.readline()
        found = re.match(r'http://127\.0\.0\.1:(\d+)/(?:\?token=([0-9a-f]{32}))?$', line.strip())
        if not found:
            raise RuntimeError(line + self.said())
        self.port, self.token = int(found[1]), found[2]

    def said(self):
        self.log.seek(0)
        return self.log.read().decode()

    def ask(self, method, path, body=None, headers=None, token=True, connection=None, **query):
        wanted = dict(headers or {})
        if token and (token if isinstance(token, str) else self.token):
            wanted['Authorization'] = 'Bearer ' + (token if isinstance(token, str) else self.token)
        if query:
            path += '?' + urllib.parse.urlencode(query, doseq=True)
        own = connection or http.client.HTTPConnection('127.0.0.1', self.port, timeout=60)
        try:
            own.request(method, path, body, wanted)
            return Answer(own.getresponse())
        finally:
            if not connection:
                own.close()

    def render(self, genome=None, **query):
        return self.ask('POST', '/render', triangle() if genome is None else genome, **query)

    def begin(self, token=True, **query):
        """A job that is rendered when this returns; its path."""
        answer = self.ask('POST', '/jobs', triangle(), token=token, **query)
        assert answer.status == 202, answer.body
        path = answer.headers['Location']
        self.until(path, lambda job: job['state'] != 'waiting', token)
        return path

    def until(self, path, holds, token=True, seconds=30):
        end = time.monotonic() + seconds
        while True:
            job = self.ask('GET', path, token=token).json()
            if holds(job):
                return job
            if time.monotonic() > end:
                raise AssertionError(f'{path} stays {job}')
            time.sleep(0.02)

    def health(self):
        return self.ask('GET', '/health').json()

    def socket(self, bytes_=b''):
        one = socket.create_connection(('127.0.0.1', self.port), timeout=30)
        one.sendall(bytes_)
        return one

    def head(self, line, *more):
        return '\r\n'.join([line + ' HTTP/1.1', f'Host: 127.0.0.1:{self.port}', f'Authorization: Bearer {self.token}',
                            *more, '', '']).encode()

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()
        self.log.close()
        left = os.listdir(self.folder.name) + [name for name in os.listdir(self.temporary.name) if name != 'kiln']
        self.folder.cleanup()
        self.temporary.cleanup()
        return left

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


class One(unittest.TestCase):
    """What one service says to one client after the other."""

    @classmethod
    def setUpClass(cls):
        cls.service = Service('-q')

    @classmethod
    def tearDownClass(cls):
        left = cls.service.end()
        assert not left, f'files were left: {left}'

    def refused(self, status, answer, *words):
        self.assertEqual(answer.status, status, answer.body)
        self.assertEqual(answer.headers['Content-Type'], 'application/json')
        message = answer.error()['message']
        self.assertEqual(answer.error()['status'], status)
        for word in words:
            self.assertIn(word, message)
        return answer

    def test_the_picture_is_that_of_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(folder + '/t.flam3', 'w') as file:
                file.write(triangle())
            said = subprocess.run([KILN, 'render', 't.flam3', '-o', 't.ppm', '--width', '96', '--seed', '3', '--json',
                                   '--backend', 'cpu'], cwd=folder, stdout=subprocess.PIPE, check=True)
            made = json.loads(said.stdout)['pictures'][0]
            with open(folder + '/t.ppm', 'rb') as file:
                pixels = file.read()
        answer = self.service.render(width=96, seed=3, format='ppm')
        self.assertEqual(answer.status, 200, answer.body)
        self.assertEqual(answer.body, pixels)
        self.assertEqual(answer.headers['Kiln-Pixel-Hash'], made['pixel_hash'])
        self.assertEqual(answer.headers['Kiln-Quality'], '20')
        self.assertEqual(answer.headers['Kiln-Seed'], '3')
        job = json.dumps({'id': 7, 'genome': triangle(), 'width': 96, 'seed': 3, 'output': 'ppm:-'})
        self.assertEqual(self.service.ask('POST', '/render', job).body, pixels)
        self.assertEqual(self.service.ask('POST', '/render', job, width=64, format='ppm').body[:9], b'P6\n64 43\n')
        self.assertNotEqual(self.service.render(width=96, seed=4, format='ppm').body, pixels)

    def test_formats_by_name_and_by_what_is_accepted(self):
        starts = {'webp': (b'RIFF', 'image/webp')} if self.service.render(format='webp').status == 200 else {}
        if starts:
            fewer = self.service.render(format='webp', **{'webp-quality': 30})
            self.assertEqual(fewer.status, 200, fewer.body)
            self.assertLess(len(fewer.body), len(self.service.render(format='webp').body))
        starts |= {'png': (b'\x89PNG', 'image/png'), 'jpg': (b'\xff\xd8', 'image/jpeg'), 'jpeg': (b'\xff\xd8', 'image/jpeg'),
                  'tiff': (b'II', 'image/tiff'), 'ppm': (b'P6', 'image/x-portable-pixmap')}
        if self.service.render(format='exr').status == 200:
            starts['exr'] = (b'\x76\x2f\x31\x01', 'image/x-exr')
        for name, (start, media) in starts.items():
            for answer in (self.service.render(format=name),
                           self.service.ask('POST', '/render', triangle(), {'Accept': f'text/html, {media};q=0.9'})):
                self.assertEqual(answer.status, 200, answer.body)
                self.assertEqual(answer.headers['Content-Type'], media)
                self.assertTrue(answer.body.startswith(start), name)
        self.assertTrue(self.service.ask('POST', '/render', triangle(), {'Accept': '*/*'}).body.startswith(b'\x89PNG'))
        self.refused(406, self.service.ask('POST', '/render', triangle(), {'Accept': 'text/html'}), 'format=png')
        self.refused(400, self.service.render(format='gif'), 'gif', 'png')

    def test_settings_of_the_query(self):
        plain = self.service.render(width=32).body
        for query in ({'set': 'gamma=2'}, {'transparent': ''}, {'bits': 16}, {'brightness': 9}, {'set': ['gamma=2', 'vibrancy=0.5']}):
            answer = self.service.render(width=32, **query)
            self.assertEqual(answer.status, 200, answer.body)
            self.assertNotEqual(answer.body, plain, query)
        self.assertEqual(self.service.render(width=32, transparent='false').body, plain)
        self.refused(400, self.service.render(transparent='perhaps'), 'true or false')
        for query in ({'steer': 'auto'}, {'steer': 'off'}, {'tile': ''}, {'tile': 'true'}):
            answer = self.service.render(width=32, **query)
            self.assertEqual(answer.status, 200, (query, answer.body))
        self.refused(400, self.service.render(steer='perhaps'), 'steer', 'auto')
        self.refused(400, self.service.render(tile='perhaps'), 'true or false')
        self.refused(400, self.service.render(width='broad'), 'width')
        self.refused(400, self.service.render(set='gama=3'), 'gamma')

    def test_a_bad_flame_is_named_with_its_line(self):
        answer = self.refused(400, self.service.render('<flame size="9 9">\n<xform weight="x"/></flame>'), 'genome:2')
        self.assertEqual(answer.error()['code'], 3)
        self.refused(400, self.service.render('<flame'), 'genome')
        self.refused(400, self.service.render('no flame'), 'XML')
        self.refused(400, self.service.render('{"genome": '), 'JSON')
        self.refused(400, self.service.render('{"width": 3}'), 'genome')
        self.refused(400, self.service.render(triangle() + triangle()))  # two flames
        self.assertEqual(self.service.render('<f>' + triangle() + triangle() + '</f>', flame=1).status, 200)
        unknown = triangle(xform=' crackling="1"')
        answer = self.refused(422, self.service.render(unknown), 'crackling')
        self.assertEqual(answer.error()['code'], 4)
        answer = self.service.render(unknown, approximate='')
        self.assertEqual(answer.status, 200)
        self.assertIn('crackling', answer.headers['Kiln-Warning'])
        self.assertEqual(self.service.render().status, 200)

    def test_no_request_reads_or_writes_a_file(self):
        secret = self.service.folder.name + '/secret'
        with open(secret, 'w') as file:
            file.write(triangle())
        for query in ({'in': secret}, {'psf': secret}, {'palette': secret}, {'palette': 'secret.flam3'}, {'palettes': secret},
                      {'template': secret}, {'state': 'x.kiln'}, {'checkpoint': 1}, {'resume': ''}, {'shard': '1/2'},
                      {'output': 'x.png'}, {'o': 'x.png'}, {'jobs': secret}, {'watch': '/'}, {'device': 1}, {'threads': 99},
                      {'backend': 'cuda'}, {'max-memory': '1T'}, {'max-input': '1T'}, {'progress': 'json'}, {'json': ''},
                      {'help': ''}, {'h': ''}, {'-': ''}, {'': 'x'}):
            self.refused(400, self.service.render(**query))
        for job in ({'in': secret}, {'in': [secret], 'genome': triangle()}, {'genome': triangle(), 'output': 'x.png'},
                    {'genome': triangle(), 'palette': secret}, {'genome': triangle(), 'template': secret}):
            self.refused(400, self.service.ask('POST', '/render', json.dumps(job)))
        os.remove(secret)
        self.assertEqual(os.listdir(self.service.folder.name), [])

    def test_every_option_of_render_is_one_of_an_order_or_none(self):
        said = subprocess.run([KILN, 'help', 'render'], stdout=subprocess.PIPE, text=True, check=True).stdout
        names = set(re.findall(r'^  (?:-\w, )?--([a-z-]+)', said, re.MULTILINE))
        self.assertGreater(len(names), 60)
        kept = {'output', 'dry-run', 'psf', 'template', 'backend', 'device', 'threads', 'max-memory', 'devices', 'palettes',
                'max-input', 'no-clobber', 'force', 'progress', 'quiet', 'json', 'jobs', 'watch', 'ignore-record',
                'checkpoint', 'resume', 'state', 'shard', 'help'}
        for name in sorted(names):
            message = self.service.render(**{name: 'x'}).body.decode(errors='replace')
            is_refused = 'may not say that' in message
            self.assertEqual(is_refused, name in kept, f'{name}: {message}')

    def test_status_of_what_is_wrong(self):
        service = self.service
        for token in (False, 'x' * 32, service.token[:-1], service.token + '0'):
            answer = self.refused(401, service.ask('POST', '/render', triangle(), token=token))
            self.assertIn('Bearer', answer.headers['WWW-Authenticate'])
            self.refused(401, service.ask('GET', '/', token=token))
        self.assertEqual(service.ask('POST', '/render?token=' + service.token, triangle(), token=False).status, 200)
        self.refused(404, service.ask('GET', '/nowhere'))
        self.refused(404, service.ask('GET', '/jobs/1'))
        self.refused(404, service.ask('GET', '/jobs/1/picture'))
        self.refused(404, service.ask('DELETE', '/jobs/1'))
        for method, path, allowed in (('GET', '/render', 'POST'), ('PUT', '/jobs', 'POST'), ('POST', '/health', 'GET, HEAD'),
                                      ('OPTIONS', '/render', 'POST'), ('DELETE', '/jobs/1/picture', 'GET, HEAD')):
            self.assertEqual(self.refused(405, service.ask(method, path)).headers['Allow'], allowed)
        self.refused(400, service.ask('POST', '/render', ''))
        self.refused(413, service.ask('POST', '/render', b' ' * (1 << 20) + b' '), 'MiB')
        self.refused(400, service.ask('POST', '/render', b' ' * (1 << 20)))
        self.refused(403, service.ask('GET', '/', headers={'Origin': 'http://evil.example'}))
        self.refused(403, service.ask('GET', '/', headers={'Host': 'evil.example'}))
        self.assertEqual(service.ask('GET', '/').status, 200)
        head = service.ask('HEAD', '/health')
        self.assertEqual((head.status, head.body), (200, b''))

    def test_what_health_says_to_whom(self):
        health = self.service.health()
        self.assertEqual(health['state'], 'ready')
        self.assertIn('cpu', health['devices'])
        self.assertEqual(health['limits']['seconds'], 60)
        self.assertRegex(health['version'], r'^\d+\.\d+')
        self.assertEqual(self.service.ask('GET', '/health', token=False).json(), {'state': 'ready'})

    def raw(self, bytes_, wait=True):
        """All that comes in answer to these bytes."""
        with self.service.socket(bytes_) as one:
            if not wait:
                one.shutdown(socket.SHUT_WR)
            came = b''
            while True:
                try:
                    more = one.recv(1 << 16)
                except ConnectionResetError:
                    break
                if not more:
                    break
                came += more
            return came

    def test_requests_of_odd_forms(self):
        service, flame = self.service, triangle().encode()
        self.assertTrue(self.raw(service.head('POST /render', 'Connection: close')).startswith(b'HTTP/1.1 411'))
        chunks = service.head('POST /render?width=8', 'Transfer-Encoding: chunked', 'Connection: close')
        body = b'%x\r\n%s\r\n0\r\n\r\n' % (len(flame), flame)
        self.assertTrue(self.raw(chunks + body).startswith(b'HTTP/1.1 200'))
        too_much = b'100000\r\n' + b' ' * 0x100000 + b'\r\n100000\r\n' + b' ' * 0x100000 + b'\r\n0\r\n\r\n'
        self.assertTrue(self.raw(chunks + too_much).startswith(b'HTTP/1.1 413'))
        expects = service.head('POST /render', f'Content-Length: {len(flame)}', 'Expect: 100-continue', 'Connection: close')
        answer = self.raw(expects + flame)
        self.assertTrue(answer.startswith(b'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200'), answer[:80])
        for bad in (b'\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', b'GET\r\n\r\n', b'GET / HTTP/9.9\r\n\r\n',
                    service.head('POST /render', 'Content-Length: -1'), service.head('POST /render', 'Content-Length: x')):
            self.assertTrue(self.raw(bad, wait=False).startswith(b'HTTP/1.1 400'), bad)
        self.assertTrue(self.raw(service.head('GET /', 'X-Long: ' + 'x' * 20000)).startswith(b'HTTP/1.1 431'))
        old = f'GET /health HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer {service.token}\r\n\r\n'.encode()
        self.assertTrue(self.raw(old).startswith(b'HTTP/1.1 200'))
        self.assertEqual(self.service.render().status, 200)

    def test_a_connection_stays_and_several_requests_may_wait_in_it(self):
        connection = http.client.HTTPConnection('127.0.0.1', self.service.port, timeout=60)
        for width in (8, 9, 10):
            answer = self.service.ask('POST', '/render', triangle(), connection=connection, width=width, format='ppm')
            self.assertEqual(answer.body[:3 + len(str(width))], b'P6\n%d' % width)
        held = connection.sock
        self.assertEqual(self.service.ask('POST', '/render', '<flame', connection=connection).status, 400)
        self.assertEqual(self.service.ask('GET', '/health', connection=connection).status, 200)
        self.assertIs(connection.sock, held)
        connection.close()
        flame = triangle().encode()
        requests = b''.join(self.service.head(f'POST /render?format=ppm&width={width}', f'Content-Length: {len(flame)}') + flame
                            for width in (11, 12, 13))
        came = self.raw(requests + self.service.head('GET /health', 'Connection: close'))
        self.assertEqual(re.findall(rb'P6\n(\d+)', came), [b'11', b'12', b'13'])
        self.assertEqual(came.count(b'HTTP/1.1 200'), 4)

    def test_a_job_is_answered_at_once_and_made_later(self):
        for path, headers in (('/jobs', {}), ('/render', {'Prefer': 'respond-async'})):
            answer = self.service.ask('POST', path, triangle(), headers, width=20, format='ppm')
            self.assertEqual(answer.status, 202)
            where = answer.headers['Location']
            self.assertEqual(where, '/jobs/' + answer.json()['id'])
            job = self.service.until(where, lambda job: job['state'] == 'done')
            picture = self.service.ask('GET', job['picture'])
            self.assertEqual(picture.body[:5], b'P6\n20')
            self.assertEqual(picture.headers['Kiln-Pixel-Hash'], job['result']['pixel_hash'])
            self.assertEqual(job['bytes'], len(picture.body))
            self.assertEqual(self.service.ask('DELETE', where).status, 204)
            self.refused(404, self.service.ask('GET', where))
        failed = self.service.ask('POST', '/jobs', '<flame').headers['Location']
        job = self.service.until(failed, lambda job: job['state'] == 'failed')
        self.assertEqual(job['error']['code'], 3)
        self.refused(400, self.service.ask('GET', failed + '/picture'), 'genome')

    def events(self, path):
        """Name and data of each event, until they end."""
        with self.service.socket(self.service.head('GET ' + path + '/events')) as one:
            text = b''.join(iter(lambda: one.recv(1 << 16), b'')).decode()
        self.assertIn('text/event-stream', text)
        return [(name, json.loads(data)) for name, data in re.findall(r'event: (\w+)\ndata: (.*)\n\n', text)]

    def test_events_say_how_it_goes_until_it_is_over(self):
        path = self.service.begin(width=700, quality=400)
        self.refused(409, self.service.ask('GET', path + '/picture'), 'rendering')
        heard = self.events(path)
        self.assertEqual(heard[-1][0], 'done')
        self.assertIn('pixel_hash', heard[-1][1]['result'])
        shares = [data['done'] for name, data in heard if name == 'progress']
        self.assertGreaterEqual(len(shares), 2)
        self.assertEqual(shares, sorted(shares))
        self.assertEqual([name for name, _ in self.events(path)], ['done'])  # one that comes too late

    def test_what_is_rendered_can_be_ended(self):
        path = self.service.begin(**SLOW)
        heard = []
        listener = threading.Thread(target=lambda: heard.extend(self.events(path)))
        listener.start()
        time.sleep(0.3)
        begun = time.monotonic()
        self.assertEqual(self.service.ask('DELETE', path).status, 204)
        job = self.service.until(path, lambda job: job['state'] == 'cancelled')
        self.assertLess(time.monotonic() - begun, 3)
        self.assertEqual(job['error']['status'], 410)
        listener.join(10)
        self.assertEqual(heard[-1][0], 'cancelled')
        self.assertEqual(self.service.render().status, 200)

    def test_whoever_goes_is_not_rendered_for(self):
        flame = triangle().encode()
        query = urllib.parse.urlencode(SLOW)
        one = self.service.socket(self.service.head('POST /render?' + query, f'Content-Length: {len(flame)}') + flame)
        end = time.monotonic() + 20
        while self.service.health()['rendering'] == 0 and time.monotonic() < end:
            time.sleep(0.02)
        self.assertEqual(self.service.health()['rendering'], 1)
        one.close()
        begun = time.monotonic()
        while self.service.health()['rendering'] and time.monotonic() < begun + 20:
            time.sleep(0.02)
        self.assertLess(time.monotonic() - begun, 3)
        self.assertEqual(self.service.render().status, 200)

    def test_half_open_clients_hinder_nobody(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard < 1200:
            self.skipTest(f'only {hard} descriptors')
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4096)), hard))
        halves = [b'', b'G', b'GET / HTTP/1.1\r\nHost: local', self.service.head('POST /render', 'Content-Length: 500000') + b'<fl']
        sockets = []
        try:
            for number in range(1000):
                # some have the token: of these so many as connections there may be
                sockets.append(self.service.socket(halves[number % 3 if number % 10 else 3]))
                if number % 50:
                    continue
                begun = time.monotonic()
                self.assertEqual(self.service.render(width=16).status, 200)
                self.assertLess(time.monotonic() - begun, 2, f'after {number}')
            for _ in range(20):
                begun = time.monotonic()
                self.assertEqual(self.service.render(width=16).status, 200)
                self.assertLess(time.monotonic() - begun, 2)
        finally:
            for one in sockets:
                one.close()

    def test_nonsense_ends_nobody(self):
        chance = random.Random(7)
        flame = triangle().encode()
        good = (self.service.head('POST /render?width=8&set=gamma%3D2', f'Content-Length: {len(flame)}') + flame
                + self.service.head('GET /jobs/abc/events') + self.service.head('DELETE /jobs/abc'))
        for _ in range(300):
            bad = bytearray(good)
            for _ in range(chance.randint(1, 12)):
                at = chance.randrange(len(bad))
                kind = chance.randrange(4)
                if kind == 0:
                    bad[at] = chance.randrange(256)
                elif kind == 1:
                    del bad[at:at + chance.randint(1, 40)]
                elif kind == 2:
                    bad[at:at] = bad[chance.randrange(len(bad)):][:chance.randint(1, 60)]
                else:
                    bad[at:at] = bytes(chance.randrange(256) for _ in range(chance.randint(1, 9)))
            with self.service.socket(bytes(bad)) as one:
                one.settimeout(0.05)
                try:
                    while one.recv(1 << 16):
                        pass
                except OSError:
                    pass
        self.assertIsNone(self.service.process.poll())
        self.assertEqual(self.service.render().status, 200)


    def test_clients_that_stay_after_their_last_answer_hinder_nobody(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard < 1200:
            self.skipTest(f'only {hard} descriptors')
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4096)), hard))
        sockets = []
        try:
            for number in range(600):  # there may be 512
                one = self.service.socket(self.service.head('GET /health', 'Connection: close'))
                sockets.append(one)
                came = b''.join(iter(lambda one=one: one.recv(1 << 16), b''))
                self.assertTrue(came.startswith(b'HTTP/1.1 200'), f'{number}: {came[:80]}')
            self.assertEqual(self.service.render(width=16).status, 200)
            pid, end = self.service.process.pid, time.monotonic() + 6
            while len(os.listdir(f'/proc/{pid}/fd')) > 100 and time.monotonic() < end:
                time.sleep(0.1)
            self.assertLess(len(os.listdir(f'/proc/{pid}/fd')), 100, 'they are kept')
        finally:
            for one in sockets:
                one.close()

    def test_what_is_over_takes_no_memory_for_its_request(self):
        def resident():
            with open(f'/proc/{self.service.process.pid}/status') as file:
                return int(re.search(r'VmRSS:\s+(\d+)', file.read())[1]) << 10
        flame = json.dumps({'genome': triangle(), 'set': 'gamma=2.' + '0' * 900000, 'output': 'ppm:-', 'width': 8})
        paths = []

        def ask(count):
            for _ in range(count):
                answer = self.service.ask('POST', '/jobs', flame)
                self.assertEqual(answer.status, 202, answer.body)
                paths.append(answer.headers['Location'])
                self.service.until(paths[-1], lambda job: job['state'] == 'done')
        ask(5)
        before = resident()
        ask(30)
        grown = resident() - before
        for path in paths:
            self.service.ask('DELETE', path)
        self.assertLess(grown, 10 << 20)


class Others(unittest.TestCase):
    """Services with words of their own."""

    def test_limits_of_a_picture(self):
        with Service('-q', '--max-pixels', '4096', '--max-quality', '50', '--max-seconds', '2', '--max-body', '2K',
                     '--max-memory', '200M') as service:
            self.assertEqual(service.render(size='64x64').status, 200)
            for query, word in (({'size': '65x64'}, '4096'), ({'quality': 51}, 'quality 51'),
                                ({'size': '9000x9000', 'crop': '0,0,64x64'}, 'memory')):
                answer = service.render(**query)
                self.assertEqual(answer.status, 422, answer.body)
                self.assertIn(word, answer.error()['message'])
                self.assertEqual(answer.error()['code'], 4)
            self.assertEqual(service.render(size='400x400', crop='0,0,64x64', quality=1).status, 200)
            begun = time.monotonic()
            answer = service.render(size='64x64', quality=50, set='zoom=8')  # 65536 times the samples
            self.assertEqual(answer.status, 422, answer.body)
            self.assertIn('2 s', answer.error()['message'])
            self.assertLess(time.monotonic() - begun, 20)  # and not minutes
            self.assertEqual(service.render(triangle() + ' ' * 2048).status, 413)
            self.assertEqual(service.render(size='64x64').status, 200)

    def test_two_clients_and_the_limit_a_client(self):
        with tempfile.NamedTemporaryFile('w', suffix='.txt') as file:
            tokens = 'first-token-0123456789', 'second-token-0123456789'
            file.write('# two programs\n' + '\n'.join(tokens) + '\n')
            file.flush()
            with Service('-q', '--token', file.name, '--max-jobs', '2') as service:
                self.assertIsNone(service.token)
                self.assertEqual(service.ask('GET', '/').status, 401)
                slow = service.begin(token=tokens[0], **SLOW)
                waits = service.ask('POST', '/jobs', triangle(), token=tokens[0]).headers['Location']
                for path in ('/jobs', '/render'):
                    answer = service.ask('POST', path, triangle(), token=tokens[0])
                    self.assertEqual(answer.status, 429, answer.body)
                    self.assertGreaterEqual(int(answer.headers['Retry-After']), 1)
                other = service.ask('POST', '/jobs', triangle(), token=tokens[1])
                self.assertEqual(other.status, 202)
                self.assertEqual(service.ask('GET', waits, token=tokens[1]).status, 404)
                self.assertEqual(service.ask('DELETE', slow, token=tokens[1]).status, 404)
                self.assertEqual(service.ask('GET', slow, token=tokens[0]).json()['state'], 'rendering')
                self.assertEqual(service.ask('DELETE', slow, token=tokens[0]).status, 204)
                service.until(waits, lambda job: job['state'] == 'done', tokens[0])
                service.until(other.headers['Location'], lambda job: job['state'] == 'done', tokens[1])
                self.assertEqual(service.ask('POST', '/render', triangle(), token=tokens[0]).status, 200)

    def test_clients_behind_a_proxy(self):
        for proxied, expected in ((False, 429), (True, 202)):
            with Service('-q', '--no-token', '--max-jobs', '1', *(['--behind-proxy'] if proxied else [])) as service:
                slow = service.begin(**SLOW)
                answer = service.ask('POST', '/jobs', triangle(), {'X-Forwarded-For': '10.0.0.1, 10.0.0.2'})
                self.assertEqual(answer.status, expected)
                again = service.ask('POST', '/jobs', triangle(), {'X-Forwarded-For': '10.0.0.9, 10.0.0.2'})
                self.assertEqual(again.status, 429)  # what a client says of itself is not believed
                service.ask('DELETE', slow)

    def test_without_a_token_this_machine_alone(self):
        with Service('-q', '--no-token') as service:
            self.assertIsNone(service.token)
            self.assertEqual(service.render().status, 200)
            self.assertEqual(service.ask('GET', '/', headers={'Origin': 'http://evil.example'}).status, 403)
            self.assertEqual(service.ask('GET', '/', headers={'Host': 'evil.example'}).status, 403)
            with open(f'/proc/{service.process.pid}/net/tcp') as file:
                listening = [line.split()[1] for line in file if line.split()[3] == '0A']
            self.assertIn(f'0100007F:{service.port:04X}', listening)
            self.assertNotIn(f'00000000:{service.port:04X}', listening)
        for words in (['--serve', '0.0.0.0:0'], ['--serve', '0.0.0.0:0', '--allow-remote', '--no-token'], ['--serve', 'x'],
                      ['--allow-remote'], ['--token', 'x', '--no-token']):
            self.assertEqual(subprocess.run([KILN, 'serve', *words], stderr=subprocess.PIPE).returncode, 2, words)

    def test_the_end_finishes_what_is_rendered(self):
        service = Service('-q')
        slow, waiting, answers = {'width': 900, 'quality': 600}, {'width': 900, 'quality': 601}, {}

        def ask(name, query):
            answers[name] = service.render(format='ppm', **query)
        threads = [threading.Thread(target=ask, args=('slow', slow)), threading.Thread(target=ask, args=('waiting', waiting))]
        threads[0].start()
        while service.health()['rendering'] == 0:
            time.sleep(0.01)
        threads[1].start()
        while service.health()['waiting'] == 0:
            time.sleep(0.01)
        service.process.send_signal(signal.SIGTERM)
        threads[1].join(10)
        self.assertEqual(answers['waiting'].status, 503)
        self.assertIn('Retry-After', answers['waiting'].headers)
        if 'slow' not in answers:
            self.assertEqual(service.render().status, 503)
            self.assertEqual(service.ask('GET', '/health', token=False).status, 503)
        threads[0].join(60)
        self.assertEqual(answers['slow'].status, 200)
        self.assertEqual(answers['slow'].body[:6], b'P6\n900')
        self.assertEqual(service.process.wait(15), 0)
        self.assertEqual(service.end(), [])

    def test_a_token_is_found_again_after_a_restart(self):
        with tempfile.TemporaryDirectory() as state, socket.socket() as free:
            free.bind(('127.0.0.1', 0))
            port = free.getsockname()[1]
            free.close()
            tokens = []
            for _ in range(2):
                process = subprocess.Popen([KILN, 'serve', '--serve', f'127.0.0.1:{port}', '--backend', 'cpu'], text=True,
                                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=dict(os.environ, XDG_RUNTIME_DIR=state))
                tokens.append(process.stdout.readline().strip())
                process.terminate()
                process.wait(20)
                process.stdout.close()
            self.assertEqual(tokens[0], tokens[1])
            self.assertIn('token=', tokens[0])

    def test_a_line_for_each_answer(self):
        with Service() as service:
            service.render()
            service.ask('GET', '/nowhere\x1b[31m'.replace('\x1b', '%1b'))
            said = service.said()
            self.assertRegex(said, r'127\.0\.0\.1 POST /render 200 [\d.]+ ms')
            self.assertIn(' 404 ', said)
            self.assertNotIn(service.token, said)

    def test_palettes_by_name_are_read_once_and_again_where_they_change(self):
        def library(names):
            return ''.join('%s {\ngradient:\n  title="%s" smooth=no\n  index=0 color=%d\n  index=200 color=%d\n}\n'
                           % (name, name, number * 77, 0xff00ff - number) for number, name in enumerate(names))
        with tempfile.NamedTemporaryFile('w', suffix='.ugr') as file:
            names = [f'p{number}' for number in range(16000)]
            file.write(library(names))
            file.flush()
            with Service('-q', '--palettes', file.name, '--max-jobs', '100') as service:
                slow = service.begin(**SLOW)  # so that no palettes are read for pictures

                def seconds(**query):
                    begun = time.monotonic()
                    for _ in range(15):
                        answer = service.ask('POST', '/jobs', triangle(), **query)
                        self.assertEqual(answer.status, 202, answer.body)
                    return time.monotonic() - begun
                first = time.monotonic()
                answer = service.ask('POST', '/jobs', triangle(), palette=names[-1])
                self.assertEqual(answer.status, 202, answer.body)
                first = time.monotonic() - first
                self.assertLess(seconds(palette=names[-1]), 5 * first)
                self.assertEqual(service.ask('POST', '/jobs', triangle(), palette='autumn').status, 400)
                file.write(library(['autumn']))
                file.flush()
                self.assertEqual(service.ask('POST', '/jobs', triangle(), palette='autumn').status, 202)
                service.ask('DELETE', slow)

    def test_files_of_tokens(self):
        for text, word in (('short\n', ':1'), ('', 'no token'), ('# x\n\nwith a blank 0123456789\n', ':3')):
            with tempfile.NamedTemporaryFile('w') as file:
                file.write(text)
                file.flush()
                ended = subprocess.run([KILN, 'serve', '--serve', '127.0.0.1:0', '--token', file.name], text=True,
                                       stderr=subprocess.PIPE, stdout=subprocess.PIPE)
                self.assertEqual(ended.returncode, 3)
                self.assertIn(word, ended.stderr)


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--kiln', required=True)
    known, rest = parser.parse_known_args()
    KILN = os.path.abspath(known.kiln)
    if 'built without' in subprocess.run([KILN, 'serve', '--serve', 'x'], stderr=subprocess.PIPE, text=True).stderr:
        print('skipped: this kiln was built without kiln serve')
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *rest], verbosity=1)
