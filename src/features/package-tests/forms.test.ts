import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '#foundation/problem.ts'
import { chooseForm, type ResultForm } from './forms.ts'

const SARIF = 'application/sarif+json'
const CYCLONEDX = 'application/vnd.cyclonedx+json'

const chosen: [accept: string | undefined, form: ResultForm][] = [
  [undefined, 'json'],
  ['', 'json'],
  ['*/*', 'json'],
  ['application/*', 'json'],
  ['application/json', 'json'],
  ['application/json; charset=utf-8', 'json'],
  ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 'json'],
  [SARIF, 'sarif'],
  [SARIF.toUpperCase(), 'sarif'],
  [CYCLONEDX, 'cyclonedx'],
  [`${CYCLONEDX}; version=1.6`, 'cyclonedx'],
  [`${SARIF};version="2.1.0"`, 'sarif'],
  [`${SARIF}, */*`, 'sarif'],
  [`${SARIF}, application/json`, 'json'],
  [`application/json;q=0.5, ${SARIF}`, 'sarif'],
  [`${SARIF};q=0.5, ${CYCLONEDX};q=0.7`, 'cyclonedx'],
  [`application/json;q=0, */*`, 'sarif'],
  [`${CYCLONEDX}; version=1.5, application/json`, 'json'],
]

const refused = [
  'text/html',
  'application/xml',
  'text/*',
  `${CYCLONEDX}; version=1.5`,
  'application/json;q=0',
  '*/*;q=0',
  'application/json;q=x',
  'application/json;profile=x',
  'json',
]

describe('the form of a result by the Accept header', () => {
  for (const [accept, form] of chosen) {
    test(`chooseForm for Accept ${accept ?? 'no header'}: returns ${form}`, () =>
      assert.equal(chooseForm(accept), form))
  }
  for (const accept of refused) {
    test(`chooseForm for Accept ${accept}: throws not-acceptable`, () => {
      assert.throws(
        () => chooseForm(accept),
        (error) => error instanceof Problem && error.code === 'not-acceptable',
      )
    })
  }
})
