import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/** One finished test or suite. */
export interface Outcome {
  readonly kind: 'passed' | 'failed' | 'skipped'
  /** The suites around it and its own title, separated by ` > `. */
  readonly name: string
  readonly file: string
  /** 0 for tests and suites at the top level of a file. */
  readonly nesting: number
  /** A suite fails with its tests; one whose hook failed counts as a test. */
  readonly isSuite: boolean
  readonly durationMs: number
  /** The reason of a skip, if given. */
  readonly reason?: string
  readonly error?: string
}

/** The last line of a report; a process that ended early leaves it out. */
export const END = '{"end":true}'

/** Title of the test that follows the tests of each file. */
export const END_OF_FILE = 'end of the file'

/** A reporter for node:test that writes an `Outcome` a line and `END` at the end. */
export default async function* reportOutcomes(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  // A suite that a support file opens belongs to the test file of its tests, which are reported first.
  let lastTestFile = ''
  const path: string[] = []
  for await (const event of source) {
    if (event.type === 'test:start') path[event.data.nesting] = event.data.name
    if (event.type === 'test:summary') yield `${END}\n`
    if (event.type === 'test:diagnostic' && isError(event.data.message))
      yield `${JSON.stringify(afterItsTest(event.data.message, lastTestFile))}\n`
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const { data } = event
    if (data.name === END_OF_FILE) continue
    const own = data.file === undefined ? '' : relative('.', data.file)
    if (/\.test\.tsx?$/.test(own)) lastTestFile = own
    const skip = 'skip' in data ? data.skip : undefined
    const outcome: Outcome = {
      kind: event.type === 'test:fail' ? 'failed' : skip === undefined || skip === false ? 'passed' : 'skipped',
      name: [...path.slice(0, data.nesting), data.name].join(' > '),
      file: lastTestFile === '' ? own : lastTestFile,
      nesting: data.nesting,
      isSuite:
        data.details.type === 'suite' && !(event.type === 'test:fail' && hasFailedHook(event.data.details.error)),
      durationMs: data.details.duration_ms,
      ...(typeof skip === 'string' && { reason: skip }),
      ...(event.type === 'test:fail' && { error: describeError(event.data.details.error) }),
    }
    yield `${JSON.stringify(outcome)}\n`
  }
}

/** Returns true for a diagnostic about an error outside any test, which node:test does not report as a failed test. */
export function isError(message: string): boolean {
  return message.startsWith('Error:')
}

function afterItsTest(message: string, file: string): Outcome {
  return {
    kind: 'failed',
    name: 'an error outside of a test',
    file,
    nesting: 0,
    isSuite: false,
    durationMs: 0,
    error: message,
  }
}

function hasFailedHook(error: Error & { readonly failureType?: string }): boolean {
  return error.failureType === 'hookFailed'
}

function describeError(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : error
  return cause.stack ?? cause.message
}
