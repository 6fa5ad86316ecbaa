import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runnerCommandsIn } from '#test/documents/runner-commands.ts'
import { printable } from '../printable.ts'
import { toPrintedJson, withoutCommands, withoutCommandsInXml } from './runner-commands.ts'

const hostile = [
  '::error::x',
  '  \u00a0::add-mask::x',
  'name\n::set-output name=a::b',
  'name\r::error::x',
  'name\u2028::error::x',
  '\u001b[1m::error::x\u001b[0m',
  'a ##vso[task.setvariable variable=a]b',
  '##[add-path]x',
  '###[group]x',
  "a##teamcity[message text='x']",
]

test('printed texts: no line is a command of a CI runner', () => {
  for (const text of hostile) {
    for (const printed of [printable(text), withoutCommands(text), withoutCommandsInXml(text)]) {
      assert.deepEqual(runnerCommandsIn(printed), [], JSON.stringify(printed))
    }
    const json = toPrintedJson({ text })
    assert.deepEqual(runnerCommandsIn(json), [])
    assert.deepEqual(JSON.parse(json), { text })
  }
  assert.equal(printable('::error::x'), ': :error::x')
})

test('printed texts: names that only look like commands stay as they are', () => {
  for (const text of ['ActiveSupport::MessageVerifier', 'a ::b', '## Heading', '# a [link]', '##', 'std::vec::Vec']) {
    assert.equal(printable(text), text)
  }
})
