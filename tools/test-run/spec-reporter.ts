import { Readable } from 'node:stream'
import { spec, type TestEvent } from 'node:test/reporters'
import { END_OF_FILE, isError } from './reporter.ts'

/** The reporter `spec` without the tests that stand behind each file, and without its totals, which the summary has. */
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
