import assert from 'node:assert/strict'
import { parseXml, type XmlElement } from '#analysis/documents/xml.ts'

interface Rule {
  readonly required: readonly string[]
  readonly optional: readonly string[]
  readonly children: readonly string[]
  readonly hasText?: true
}

const outcome: Rule = { required: [], optional: ['type', 'message'], children: [], hasText: true }

/**
 * The part of `junit-10.xsd` of Jenkins's xUnit plugin that reports of tests use. GitLab and Azure read the same. No
 * standard exists; this schema is the strictest that readers validate with.
 */
const rules: Readonly<Record<string, Rule>> = {
  testsuites: { required: [], optional: ['name', 'time', 'tests', 'failures', 'errors'], children: ['testsuite'] },
  testsuite: {
    required: ['name', 'tests', 'failures', 'errors'],
    optional: ['time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file'],
    children: ['testsuite', 'testcase'],
  },
  testcase: { required: ['name'], optional: ['classname', 'time'], children: ['skipped', 'error', 'failure'] },
  skipped: outcome,
  error: outcome,
  failure: outcome,
}

/** Checks a JUnit report: well-formed XML, the elements and attributes of the schema, and counts that are true. */
export function assertJunit(text: string): void {
  const root = parseXml({ file: 'target', text })
  assert.equal(root.name, 'testsuites')
  check(root)
}

function check(element: XmlElement): void {
  const rule = rules[element.name]
  assert.ok(rule, `<${element.name}> is unknown`)
  const attributes = attributesOf(element)
  for (const name of rule.required) assert.ok(attributes.has(name), `<${element.name}> has no ${name}`)
  const allowed = [...rule.required, ...rule.optional]
  for (const name of attributes.keys()) assert.ok(allowed.includes(name), `<${element.name} ${name}> is unknown`)
  if (rule.hasText === undefined) assert.equal(element.text, '', `<${element.name}> has text`)
  for (const name of ['failures', 'errors', 'tests']) {
    const count = attributes.get(name)
    if (count !== undefined) assert.equal(Number(count), countOf(element, name), `${name} of <${element.name}>`)
  }
  for (const child of element.children) {
    assert.ok(rule.children.includes(child.name), `<${child.name}> in <${element.name}>`)
    check(child)
  }
}

function attributesOf({ tag }: XmlElement): Map<string, string> {
  return new Map([...tag.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!]))
}

const counted: Readonly<Record<string, string>> = { failures: 'failure', errors: 'error', tests: 'testcase' }

function countOf(element: XmlElement, name: string): number {
  return element.children.reduce((sum, child) => sum + Number(child.name === counted[name]) + countOf(child, name), 0)
}
