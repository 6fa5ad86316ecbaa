import { Readable } from 'node:stream'
import { spec, type TestEvent } from 'node:test/reporters'
import { END_OF_FILE, isError } from './reporter.ts'

/** The `spec` reporter without the final test of each file, and without totals, which the summary contains. */
export default async function* reportToPeople(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  yield* Readable.from(resultsOf(source)).compose(new spec())
}

async function* resultsOf(source: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
  for await (const event of source) {
    if (event.type === 'test:diagnostic' && event.data.nesting === 0 && !isError(event.data.message)) continue
    if (event.data && 'name' in event.data && event.data.name === END_OF_FILE) continue
    yield event
  }
}
