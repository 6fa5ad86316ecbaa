import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judgeTexts } from './prose-rules.ts'
import { textsOfMarkdown, textsOfSource } from './texts.ts'

/** Returns `line rule` of each finding in a TypeScript file. */
function inSource(source: string): string[] {
  return judgeTexts('src/a.ts', textsOfSource('src/a.ts', source)).map(({ line, rule }) => `${line} ${rule}`)
}

function inMarkdown(source: string, path = 'docs/a.md'): string[] {
  return judgeTexts(path, textsOfMarkdown(source)).map(({ line, rule }) => `${line} ${rule}`)
}

describe('prose rules', () => {
  test('a doc comment that begins with What, Of or Where is found at its line; noun phrases and verbs are not', () => {
    const source = ['/** What is read. */', 'const a = 1', '/**', ' * Of every row.', ' */', 'const b = 2'].join('\n')
    assert.deepEqual(inSource(source), ['1 doc-comment-start', '3 doc-comment-start'])
    assert.deepEqual(inSource('/** Returns the rows. */\n/** The rows. */\nconst a = 1'), [])
  })

  test('an inline comment may begin with Where, and code in comments is not judged', () => {
    assert.deepEqual(inSource('// Where a limit is set, it holds.\n/** Reads `whoever`. */\nconst a = 1'), [])
  })

  test('riddles are found in comments, strings, templates and JSX', () => {
    const source = [
      '// Whoever reads it',
      "const a = 'Nobody can read this'",
      'const b = `Give it to somebody else now`',
    ].join('\n')
    assert.deepEqual(inSource(source), ['1 plain-words', '2 plain-words', '3 plain-words'])
    const jsx = textsOfSource('web/a.tsx', 'const a = <p>It ends by itself today.</p>')
    assert.equal(judgeTexts('web/a.tsx', jsx).length, 1)
  })

  test('test titles: a fragment is found at its line; a subject is not', () => {
    const source = [
      "test('are refused', () => {})",
      "test('of another client', () => {})",
      'test(`what ${one} is`, () => {})',
      "test('refresh token: refused for another client', () => {})",
      'test(`${one}: refused`, () => {})',
      "other('are refused', () => {})",
    ].join('\n')
    const findings = judgeTexts('src/a.test.ts', textsOfSource('src/a.test.ts', source))
    assert.deepEqual(
      findings.map(({ line, rule }) => `${line} ${rule}`),
      ['1 test-title', '2 test-title', '3 test-title'],
    )
    assert.deepEqual(inSource(source), [])
  })

  test('identifiers and short strings are not judged', () => {
    assert.deepEqual(inSource("const nobody = 'nobody'\nconst whoever = nobody"), [])
  })

  test('a repeated word is found, a name with a hyphen is not', () => {
    assert.deepEqual(inSource('// Reads the the row.\n// Reads a row-row row.\nconst a = 1'), ['1 repeated-word'])
  })

  test('a sentence of more than 40 words is found in documents, at the line of its block', () => {
    const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ')
    const sentence = `${words(41)} end.`
    assert.deepEqual(inMarkdown(`# Title\n\nShort.\n\n- one\n- ${sentence}\n`), ['6 sentence-length'])
    assert.deepEqual(inMarkdown(`${words(30)} end. The ${words(30)} end.`), [])
  })

  test('code blocks and code spans of documents are not judged', () => {
    assert.deepEqual(inMarkdown('```\nwhoever\n```\n\n`nobody`\n'), [])
  })

  test('the title of a decision is in the imperative', () => {
    const path = 'docs/decisions/0001-a.md'
    assert.deepEqual(inMarkdown('# 0001 Cache pages until the next commit', path), [])
    assert.deepEqual(inMarkdown('# 0061 Rate-limit failed credentials', path), [])
    for (const title of ['The cache of pages', 'Caching pages', 'Pages last until the next commit']) {
      assert.deepEqual(inMarkdown(`# 0001 ${title}`, path), ['1 decision-title'], title)
    }
  })
})
