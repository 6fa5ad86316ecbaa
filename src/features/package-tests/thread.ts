import { parentPort, workerData } from 'node:worker_threads'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { type OpenAdvisories, openAdvisories } from '#features/advisories/open-advisories.ts'
import type { StaleAnswer } from '#features/registries/answer-ages.ts'
import { type RegistryQuestion, remoteRegistries } from '#features/registries/remote-registries.ts'
import { Problem } from '#foundation/problem.ts'
import type { FromThread, TestAnswer, ToThread } from './messages.ts'
import { runTest, type TestMeans } from './run-test.ts'
import { createSearchTimes } from './search-time.ts'
import { createTrialMemory } from './trial-memory.ts'

/** A thread of the pool: takes tests, asks the main thread for registry metadata, answers with finished bodies. */
const { pulse, pulseEveryMs, memoryMb, searchSeconds } = workerData as {
  pulse: Int32Array
  pulseEveryMs: number
  memoryMb: number
  searchSeconds: number
}
const port = parentPort!
const trialMemory = createTrialMemory(Date.now)
const searchTimes = createSearchTimes(searchSeconds, Date.now)

type MetadataAnswer = Extract<ToThread, { type: 'metadata' }>

interface Held {
  readonly advisories: OpenAdvisories
  users: number
  isCurrent: boolean
}

let current: Held | undefined
const abandoned = new Set<number>()
const wanted = new Map<number, { resolve(answer: MetadataAnswer): void; reject(error: Error): void }>()
let lastWanted = 0

setInterval(() => Atomics.add(pulse, 0, 1), pulseEveryMs)

port.on('message', (message: ToThread) => {
  if (message.type === 'snapshot') {
    const before = current
    current = { advisories: openAdvisories(message.snapshot), users: 0, isCurrent: true }
    if (before) before.isCurrent = false
    closeIfUnused(before)
  } else if (message.type === 'test') void test(message)
  else if (message.type === 'abandon') abandoned.add(message.id)
  else if (message.type === 'metadata') take(message.id)?.resolve(message)
  else if (message.type === 'metadata-unreachable') take(message.id)?.reject(new RegistryUnreachable(message.reason))
  else take(message.id)?.reject(new Problem('unavailable', 'What registries answered cannot be read at the moment'))
})

async function test({ id, task }: Extract<ToThread, { type: 'test' }>): Promise<void> {
  const held = current
  if (!held) return post({ type: 'answer', id, answer: refusal(noAdvisories()) })
  held.users++
  try {
    const answer = await runTest(task, {
      advisories: held.advisories,
      memoryMb,
      searchTimes,
      trialMemory,
      ...askedFor(id),
    })
    post({ type: 'answer', id, answer })
  } catch (error) {
    if (error instanceof Problem) post({ type: 'answer', id, answer: refusal(error) })
    else post({ type: 'failure', id, error })
  } finally {
    abandoned.delete(id)
    held.users--
    closeIfUnused(held)
  }
}

function post(message: FromThread): void {
  const transfer = message.type === 'answer' && 'body' in message.answer ? [message.answer.body.buffer] : []
  port.postMessage(message, transfer)
}

function refusal({ code, faults }: Problem): TestAnswer {
  return { problem: { code, faults } }
}

function noAdvisories(): Problem {
  return new Problem('unavailable', 'No advisories are loaded yet; see /readyz')
}

function closeIfUnused(held: Held | undefined): void {
  if (held && !held.isCurrent && held.users === 0) held.advisories.close()
}

/**
 * The main thread's registry clients, asked by message; a test that was given up asks no more. One test asks each question
 * once, so that it sees one state of a registry however often it reads a project.
 */
function askedFor(testId: number): Pick<TestMeans, 'registries' | 'staleAnswers'> {
  const staleAnswers: StaleAnswer[] = []
  const asked = new Map<string, Promise<unknown>>()

  async function ask(question: RegistryQuestion): Promise<unknown> {
    if (abandoned.has(testId)) throw new RegistryUnreachable('the test was given up')
    const id = ++lastWanted
    const { answer, stale } = await new Promise<MetadataAnswer>((resolve, reject) => {
      wanted.set(id, { resolve, reject })
      post({ type: 'metadata-wanted', id, question })
    })
    staleAnswers.push(...stale)
    return answer
  }

  const registries = remoteRegistries((question) => {
    const key = JSON.stringify(question)
    const known = asked.get(key) ?? ask(question)
    asked.set(key, known)
    return known
  })
  return { registries, staleAnswers }
}

function take(id: number) {
  const waiting = wanted.get(id)
  wanted.delete(id)
  return waiting
}
