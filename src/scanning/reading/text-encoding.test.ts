import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { toText } from '#analysis/discovery/file-kinds/text-encoding.ts'
import { decodeFiles } from './files.ts'

const xml = (encoding: string) =>
  `<?xml version="1.0" encoding="${encoding}"?>\n<project><name>Zoë – x</name></project>`
const mark = (...bytes: number[]) => Buffer.from(bytes)
/** Windows-1252 has the dash at 0x96. */
const windows = (text: string) => Buffer.from(text.replace('–', '\u0096'), 'latin1')

describe('encodings of manifests', () => {
  const cases: [encoding: string, bytes: Buffer][] = [
    ['windows-1252', windows(xml('windows-1252'))],
    ['ISO-8859-1, which browsers and Gatehouse read as windows-1252', windows(xml('ISO-8859-1'))],
    ['UTF-8', Buffer.from(xml('UTF-8'))],
    ['UTF-8 with a mark and a declaration', Buffer.concat([mark(0xef, 0xbb, 0xbf), Buffer.from(xml('UTF-8'))])],
    ['UTF-8 by default', Buffer.from('<project><name>Zoë – x</name></project>')],
    ['UTF-16 with a mark', Buffer.concat([mark(0xff, 0xfe), Buffer.from(xml('UTF-16'), 'utf16le')])],
    ['a comment in the second line', windows('#!/bin/sh\n# -*- coding: cp1252 -*-\n# Zoë – x')],
  ]
  for (const [encoding, bytes] of cases) {
    test(`encoding of a manifest: ${encoding}, read alike in a request and in a tree`, () => {
      const files = { kind: 'files', encoding: 'base64', target: bytes.toString('base64'), additional: [] } as const
      const { target } = decodeFiles(files)
      assert.match(target, /Zoë – x/)
      assert.equal(toText(bytes), target)
    })
  }

  test('encoding of a manifest: bytes that its declaration does not allow are refused', () => {
    const contents = Buffer.from(xml('UTF-8'), 'latin1').toString('base64')
    const files = { kind: 'files', encoding: 'base64', target: contents, additional: [] } as const
    assert.throws(() => decodeFiles(files), /does not hold text in UTF-8, nor in an encoding that its first lines name/)
  })
})
