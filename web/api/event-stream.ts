export interface StreamedEvent {
  readonly type: string
  readonly data: string
}

/** Reads server-sent events (HTML standard §9.2.6) until the answer ends. */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent> {
  let type = ''
  let data: string[] = []
  for await (const line of readLines(stream)) {
    if (line === '') {
      if (data.length > 0) yield { type: type === '' ? 'message' : type, data: data.join('\n') }
      type = ''
      data = []
      continue
    }
    const at = line.indexOf(':')
    // A line that begins with a colon is a comment, sent to keep the connection alive.
    if (at === 0) continue
    const name = at === -1 ? line : line.slice(0, at)
    const value = at === -1 ? '' : line.slice(at + 1).replace(/^ /, '')
    if (name === 'event') type = value
    if (name === 'data') data.push(value)
  }
}

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      // A line, or its terminator, may be split between two chunks.
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?=.)/s)
      rest = lines.pop() ?? ''
      yield* lines
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}
