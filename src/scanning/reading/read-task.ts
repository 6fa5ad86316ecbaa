import { createBodyValidator } from '#foundation/http/bodies/body-validator.ts'
import { parseJson } from '#foundation/http/bodies/unparsed-json.ts'
import { validationProblem } from '#foundation/http/faults.ts'
import { Problem } from '#foundation/problem.ts'
import { countSharedMemory } from '#foundation/shared-memory.ts'
import { DepGraph } from './dep-graph-request.ts'
import { toSubject } from './files.ts'
import { fitsUnparsed } from './memory-need.ts'
import type { ReadSubject, ReadTask, SentSubject, TestTask } from './task.ts'
import { TestFiles } from './test-files.ts'

const validators = { files: createBodyValidator(TestFiles), 'dep-graph': createBodyValidator(DepGraph) }

/** Parses and validates the subject of a task, in a test thread. Throws `Problem`. */
export function readTask(task: TestTask, memoryMb: number): ReadTask {
  const { subject } = task
  if (subject.kind === 'sent') return readSent(task, subject, memoryMb)
  if (subject.kind === 'stored') {
    return { ...task, subject: JSON.parse(new TextDecoder().decode(subject.bytes)) as ReadSubject }
  }
  return { ...task, subject }
}

function readSent(task: TestTask, { as, json, pointer, encoding, policy }: SentSubject, memoryMb: number): ReadTask {
  if (!fitsUnparsed(json, memoryMb)) {
    throw new Problem(
      'test-too-expensive',
      `Reading this body may need more than ${memoryMb} MB of memory (GATEHOUSE_TEST_MEMORY_MB)`,
    )
  }
  countSharedMemory(json.bytes)
  const parsed = parseJson(json.bytes, { placeOf: (position) => position + json.offset, values: json.values })
  const validate = validators[as]
  if (!validate(parsed)) {
    const errors = validate.errors.map((error) => ({ ...error, instancePath: `${pointer}${error.instancePath}` }))
    throw validationProblem(errors, 'body')
  }
  if (as === 'files') {
    const files = parsed as TestFiles
    return { ...task, subject: toSubject(files, encoding) }
  }
  const depGraph = parsed as DepGraph
  return {
    ...task,
    ecosystem: depGraph.pkgManager.name,
    subject: { kind: 'dep-graph', depGraph, ...(policy && { policy }) },
  }
}
