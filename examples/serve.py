#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pictures of kiln serve with Python alone: one that is waited for, and a large one that says how it goes.
    kiln serve > address.txt &
    python3 examples/serve.py "$(cat address.txt)" flames/conch.flam3
"""
import json
import sys
import urllib.error
import urllib.parse
import urllib.request


class Kiln:
    def __init__(self, address):
        """As kiln serve prints it: http://127.0.0.1:8590/?token=..."""
        parts = urllib.parse.urlsplit(address.strip())
        token = urllib.parse.parse_qs(parts.query).get('token', [''])[0]
        self.server = f'{parts.scheme}://{parts.netloc}'
        self.headers = {'Authorization': 'Bearer ' + token} if token else {}

    def ask(self, method, path, body=None, **query):
        query = '?' + urllib.parse.urlencode(query, doseq=True) if query else ''
        request = urllib.request.Request(self.server + path + query, body, self.headers, method=method)
        try:
            return urllib.request.urlopen(request, timeout=600)
        except urllib.error.HTTPError as error:
            raise SystemExit(json.load(error)['error']['message']) from None

    def render(self, flame, **settings):
        """The bytes of the picture, and the hash of its pixels."""
        with self.ask('POST', '/render', flame, **settings) as answer:
            return answer.read(), answer.headers['Kiln-Pixel-Hash']

    def render_slowly(self, flame, hear, **settings):
        """The same, for pictures that take minutes; hear(0.42) is told how far it is."""
        with self.ask('POST', '/jobs', flame, **settings) as answer:
            path = answer.headers['Location']
        with self.ask('GET', path + '/events') as events:
            for line in events:
                if line.startswith(b'data: '):
                    job = json.loads(line[6:])
                    hear(job.get('done', 0.0))
        if job['state'] != 'done':
            raise SystemExit(job['error']['message'])
        with self.ask('GET', job['picture']) as answer:
            picture = answer.read()
        self.ask('DELETE', path).close()
        return picture, job['result']['pixel_hash']


def main():
    kiln = Kiln(sys.argv[1])
    with open(sys.argv[2], 'rb') as file:
        flame = file.read()
    picture, digest = kiln.render(flame, width=160, quality=20, set=['gamma=3', 'vibrancy=0.8'])
    with open('small.png', 'wb') as file:
        file.write(picture)
    print('small.png', digest)
    picture, digest = kiln.render_slowly(flame, lambda done: print(f'\r{done:4.0%}', end=''), width=640, quality=50, format='jpg')
    with open('large.jpg', 'wb') as file:
        file.write(picture)
    print('\rlarge.jpg', digest)


if __name__ == '__main__':
    main()
