import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserName } from './browser-name.ts'

test('browser name: browser and system of common user agents', () => {
  const like = 'AppleWebKit/537.36 (like Gecko)'
  const namesByAgent = {
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0': 'Firefox on Linux',
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${like} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`]:
      'Edge on Windows',
    [`Mozilla/5.0 (X11; Linux x86_64) ${like} HeadlessChrome/140.0.0.0 Safari/537.36`]: 'Chrome on Linux',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1': 'Safari on iOS',
    [`Mozilla/5.0 (Linux; Android 15) ${like} Chrome/140.0.0.0 Mobile Safari/537.36`]: 'Chrome on Android',
    'curl/8.5.0': 'Unknown browser',
    '': 'Unknown browser',
  }
  for (const [userAgent, name] of Object.entries(namesByAgent)) assert.equal(browserName(userAgent), name, userAgent)
})
