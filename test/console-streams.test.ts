import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readEvents, type StreamedEvent } from '../web/api/event-stream.ts'

/** Streams the text's bytes in pieces of a given size. */
function inPieces(text: string, bytes: number): ReadableStream<Uint8Array> {
  const all = new TextEncoder().encode(text)
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= all.length) return controller.close()
      controller.enqueue(all.slice(at, at + bytes))
      at += bytes
    },
  })
}

const cases: readonly (readonly [why: string, text: string, events: readonly StreamedEvent[]])[] = [
  ['nothing', '', []],
  ['a type and data', 'event: progress\ndata: {"a":1}\n\n', [{ type: 'progress', data: '{"a":1}' }]],
  ['no type', 'data: x\n\n', [{ type: 'message', data: 'x' }]],
  [
    'signs of life and hints between',
    ':\n\nretry: 2000\n\ndata: x\n\n: still here\n\n',
    [{ type: 'message', data: 'x' }],
  ],
  ['data of several lines', 'data: one\ndata:two\ndata\n\n', [{ type: 'message', data: 'one\ntwo\n' }]],
  ['a type without data, which is ignored', 'event: lost\n\ndata: x\n\n', [{ type: 'message', data: 'x' }]],
  [
    'other ends of lines',
    'event: end\r\ndata: x\r\n\r\ndata: y\r\rdata: z\n\n',
    [
      { type: 'end', data: 'x' },
      { type: 'message', data: 'y' },
      { type: 'message', data: 'z' },
    ],
  ],
  ['characters of several bytes', 'data: größer › ∞\n\n', [{ type: 'message', data: 'größer › ∞' }]],
  ['a truncated event, which is ignored', 'data: x\n\ndata: half', [{ type: 'message', data: 'x' }]],
]

describe('event streams of the console', () => {
  for (const [why, text, events] of cases) {
    test(`event stream with ${why}: read, however it is split`, async () => {
      for (const bytes of [1, 2, 3, 5, 1000]) {
        const read = await Array.fromAsync(readEvents(inPieces(text, bytes)))
        assert.deepEqual(read, events, `in pieces of ${bytes} bytes`)
      }
    })
  }

  test('event stream: the request is canceled when the reader stops', async () => {
    const canceled = Promise.withResolvers<void>()
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('data: x\n\n')),
      cancel: () => canceled.resolve(),
    })
    for await (const { data } of readEvents(endless)) {
      assert.equal(data, 'x')
      break
    }
    await canceled.promise
  })
})
