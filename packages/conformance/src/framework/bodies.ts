import { deepEqual, equal } from 'node:assert/strict'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { FrameworkUnderTest, Run } from '../framework-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { send } from './client.js'

/** Bytes are bytes, whatever the headers say of them. */
export function bodiesContract(
  { describe, it }: TestFunctions,
  run: Run,
  { body, sign }: FrameworkUnderTest,
): void {
  describe('bodies', () => {
    it('are taken as they are under every content type and charset', () =>
      run(async ({ port, path }) => {
        const types = [
          'application/json',
          'application/json; charset=utf-8',
          'application/json;charset="UTF8"',
          'application/json; charset=ISO-8859-1',
          'application/json; charset=utf-16le',
          'application/json; charset=klingon',
          'application/x-www-form-urlencoded; charset=latin1',
          'application/vnd.api+json',
          'text/plain; charset=shift_jis',
          'multipart/form-data; boundary=x',
          'application/octet-stream',
          'nonsense; ;;=',
          '',
        ]
        for (const type of types) {
          const headers = { ...sign(body(1)), 'content-type': type }
          deepEqual([type, (await send(port, { path, headers, body: body(1) })).status], [type, 200])
        }
        equal((await send(port, { path, headers: sign(body(1)), body: body(1) })).status, 200)
      }))

    it('keep their byte order mark, invalid UTF-8, NUL and line ends', () =>
      run(async ({ port, path }) => {
        const bodies = ['\uFEFF{}', '{"a":"\\ud800"}\r\n', '\0\0', ' {} \n'].map(text => Buffer.from(text))
        for (const bytes of [...bodies, Buffer.from([0xc3, 0x28, 0xff, 0xfe, 0x00]), Buffer.alloc(0)])
          equal((await send(port, { path, headers: sign(bytes), body: bytes })).status, 200)
      }))

    it('are put together from chunks, wherever they are cut', () =>
      run(async ({ port, path }) => {
        const bytes = body(1)
        for (const cut of [1, 2, bytes.length - 1]) {
          const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)]
          equal((await send(port, { path, headers: sign(bytes), body: pieces })).status, 200)
        }
      }))

    it('are inflated from gzip and deflate: the signature covers what was compressed', () =>
      run(async ({ port, path }) => {
        const encodings: [string, Uint8Array][] = [
          ['gzip', gzipSync(body(1))],
          ['GZIP', gzipSync(body(1))],
          ['x-gzip', gzipSync(body(1))],
          ['deflate', deflateSync(body(1))],
          ['identity', body(1)],
        ]
        for (const [encoding, bytes] of encodings) {
          const headers = { ...sign(body(1)), 'content-encoding': encoding }
          deepEqual([encoding, (await send(port, { path, headers, body: bytes })).status], [encoding, 200])
        }
      }))

    it('are 415 in other encodings, and where they are not what they say', () =>
      run(async ({ port, path }) => {
        const encodings: [string, Uint8Array][] = [
          ['br', brotliCompressSync(body(1))],
          ['gzip, gzip', gzipSync(gzipSync(body(1)))],
          ['gzip', body(1)],
          ['gzip', gzipSync(body(1)).subarray(0, -9)],
          ['deflate', gzipSync(body(1))],
          ['nonsense', body(1)],
        ]
        for (const [encoding, bytes] of encodings) {
          const headers = { ...sign(body(1)), 'content-encoding': encoding }
          deepEqual([encoding, (await send(port, { path, headers, body: bytes })).status], [encoding, 415])
        }
      }))

    it('are 413 as soon as they inflate over the limit', () =>
      run(
        async ({ port, path }) => {
          const bomb = gzipSync(Buffer.alloc(5_000_000), { level: 1 })
          const began = process.memoryUsage().arrayBuffers
          const headers = { ...sign(bomb), 'content-encoding': 'gzip' }
          equal((await send(port, { path, headers, body: bomb })).status, 413)
          equal(process.memoryUsage().arrayBuffers - began < 2_000_000, true)
        },
        { maxBodyBytes: 100_000 },
      ))

    it('arrive under header names in any case', () =>
      run(async ({ port, path }) => {
        const entries = Object.entries(sign(body(1)))
        for (const change of [(name: string) => name.toUpperCase(), (name: string) => name.toLowerCase()]) {
          const headers = Object.fromEntries(entries.map(([name, value]) => [change(name), value]))
          equal((await send(port, { path, headers, body: body(1) })).status, 200)
        }
      }))
  })
}
