import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '#test/documents/any-text.ts'
import { volume } from '#test/volume.ts'
import { Unreadable } from './unreadable.ts'
import { parseXml, type XmlElement } from './xml.ts'

const read = (text: string) => parseXml({ file: 'target', text })

/** Formats an element as `name(child child)=text`. */
function toText({ name, children, text }: XmlElement): string {
  return `${name}${children.length === 0 ? '' : `(${children.map(toText).join(' ')})`}${text === '' ? '' : `=${text}`}`
}

describe('accepted XML', () => {
  const cases: [why: string, text: string, tree: string][] = [
    ['elements and text, trimmed', '<a>\n <b> x </b><c/>\n</a>', 'a(b=x c)'],
    ['blanks inside a text, beside elements', '<a>\n x <b> </b> y<![CDATA[ z ]]>\n</a>', 'a(b)=x  y z'],
    ['a byte order mark, a declaration, CRLF', '\ufeff<?xml version="1.0"?>\r\n<a>\r\nx\r\n</a>\r\n', 'a=x'],
    ['comments and instructions, also inside of text', '<!-- <a> --><a>1<!-- > -->2<?x <b> ?>3</a><!-- -->', 'a=123'],
    ['CDATA unchanged', '<a><![CDATA[<b>&amp;]]></a>', 'a=<b>&amp;'],
    ['entities and characters by number', '<a>&lt;&gt;&amp;&quot;&apos;&#65;&#x42;</a>', 'a=<>&"\'AB'],
    ['unknown entities as they are written', '<a>&nbsp;&x;& &#0;&#x110000;</a>', 'a=&nbsp;&x;& &#0;&#x110000;'],
    ['attributes, whose values may hold anything', `<a b="1 > 2" c='"/>'><d e="x"/></a>`, 'a(d)'],
    ['space inside of tags', '<a\n x="1"\n>1</a\n>', 'a=1'],
    ['names with a prefix unchanged', '<m:a xmlns:m="x"><m:b/></m:a>', 'm:a(m:b)'],
    [
      'names without the prefix of the namespace of POMs',
      '<m:project xmlns:m="http://maven.apache.org/POM/4.0.0"><m:a><m:b>1</m:b></m:a><n:c/><d/></m:project>',
      'project(a(b=1) n:c d)',
    ],
    ['a document type, which is ignored', '<!DOCTYPE project SYSTEM "file:///etc/passwd"><a/>', 'a'],
    [
      'declarations, which are ignored',
      '<!DOCTYPE a [<!ENTITY x "]>"> <!-- ]> --><!ELEMENT a (#PCDATA)>]><a>&x;</a>',
      'a=&x;',
    ],
  ]
  for (const [why, text, tree] of cases) test(`XML is read: ${why}`, () => assert.equal(toText(read(text)), tree))

  test('XML elements have the line where they begin', () => {
    const { line, children } = read('<!-- 1 -->\n<a>\n  <b/>\n  <c>\n  </c><d/></a>')
    assert.deepEqual([line, ...children.map((child) => child.line)], [2, 3, 4, 5])
  })

  test('XML entities are never expanded', () => {
    const levels = Array.from({ length: 30 }, (_, level) => `<!ENTITY l${level + 1} "&l${level};&l${level};">`)
    assert.equal(read(`<!DOCTYPE a [<!ENTITY l0 "ha">${levels.join('')}]><a>&l30;</a>`).text, '&l30;')
  })
})

describe('refused XML', () => {
  const cases: [why: string, text: string, message: RegExp, line: number][] = [
    ['an empty text', '', /no root element/, 1],
    ['no element', '\n<!-- -->\n', /no root element/, 3],
    ['JSON', '{"a": 1}', /text outside/, 1],
    ['text behind the end', '<a/>\nx', /text outside/, 1],
    ['a second root', '<a/>\n<b/>', /second root/, 2],
    ['an element without an end', '<a>\n<b>\n', /<b> of line 2 is not closed/, 3],
    ['ends in the wrong order', '<a>\n<b></a></b>', /<\/a> where <b> of line 2 is open/, 2],
    ['an unmatched end tag', '<a/></a>', /unmatched <\/a>/, 1],
    ['a tag without an end', '<a\n', /unterminated tag/, 1],
    ['a quote without an end', '<a b="></a>', /unterminated tag/, 1],
    ['a tag without a name', '<a>< b/></a>', /expected a name after '<'/, 1],
    ['a comment without an end', '<a>\n<!-- </a>', /unterminated comment/, 2],
    ['CDATA without an end', '<a><![CDATA[</a>', /unterminated CDATA section/, 1],
    ['an instruction without an end', '<?xml', /unterminated processing instruction/, 1],
    ['a document type without an end', '<!DOCTYPE a [<!ENTITY x ">', /declaration/, 1],
    ['a declaration inside of an element', '<a><!ENTITY x "y"></a>', /declaration/, 1],
    ['too many levels', '<a>'.repeat(101), /depth limit of 100/, 1],
    ['too many elements', `<a>${'<b/>'.repeat(400_000)}</a>`, /more than 400000 elements/, 1],
  ]
  for (const [why, text, message, line] of cases) {
    test(`XML is refused with its line: ${why}`, () => {
      assert.throws(
        () => read(text),
        (error) => {
          assert.ok(error instanceof Unreadable)
          assert.match(error.message, message)
          assert.equal(error.line, line)
          return true
        },
      )
    })
  }
})

describe('random XML', () => {
  const name = fc.constantFrom('a', 'b', 'groupId', 'x:y', '__proto__')
  const { element } = fc.letrec<{ element: string; content: string }>((tie) => ({
    element: fc.tuple(name, tie('content')).map(([tag, content]) => `<${tag}>${content}</${tag}>`),
    content: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('', ' x ', '&lt;', '<![CDATA[<]]>', '<!-- > -->', '<b c="d"/>'),
      fc.array(tie('element'), { maxLength: 3 }).map((all) => all.join('')),
    ),
  }))

  test('any well-formed XML is read', () => {
    fc.assert(fc.property(element, (text) => void read(text)))
  })

  test('any text is read or refused as Unreadable', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '</',
      '/>',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<!DOCTYPE',
      '[',
      ']',
      '<?',
      '?>',
      '"',
      "'",
      '&',
      ';',
      'a',
      ' ',
      '\n',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece).map((all) => all.join('')),
          anyText(),
        ),
        (text) => {
          try {
            read(text)
          } catch (error) {
            assert.ok(error instanceof Unreadable, String(error))
          }
        },
      ),
      { numRuns: volume(1000) },
    )
  })
})
