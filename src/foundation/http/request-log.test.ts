import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { requestLog } from './request-log.ts'

test('request log: every line has the request id and its own level', () => {
  const lines: Record<string, unknown>[] = []
  const logger = pino({ level: 'trace', base: null }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const log = requestLog(logger, { reqId: 'one' })
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
  for (const level of levels) log[level]({ said: level }, 'heard')
  log.silent('nothing')
  log.child({ part: 'inner' }).info('heard')
  assert.deepEqual(
    lines.map(({ level, reqId, said, part }) => [level, reqId, said ?? part]),
    [...levels.map((level) => [logger.levels.values[level], 'one', level]), [30, 'one', 'inner']],
  )
  assert.equal(log.level, 'trace')
})

test('request log: creates one child logger, on the first line', () => {
  let made = 0
  const logger = pino({ level: 'silent', onChild: () => (made += 1) })
  const log = requestLog(logger, { reqId: 'one' })
  assert.equal(made, 0)
  log.info('heard')
  log.info('heard')
  assert.equal(made, 1)
})
