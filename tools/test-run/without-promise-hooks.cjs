'use strict'
// Loaded before node:test, which follows every promise from its creation to its collection to tell which test an error
// outside of tests belongs to. That takes an eighth of a run's processor time. Its hook gets the option `trackPromises:
// false` of `createHook` here. Suites and tests are still followed. In a version of Node without it, nothing changes.
const { createHook } = require('node:async_hooks')

const sample = createHook({ init() {} })
const prototype = Object.getPrototypeOf(sample)
const withoutPromises = Object.getOwnPropertySymbols(sample).find(({ description }) => description === 'kNoPromiseHook')
const { enable } = prototype

prototype.enable = function enableWithoutPromises() {
  if (withoutPromises && new Error().stack.includes('node:internal/test_runner')) this[withoutPromises] = true
  return enable.call(this)
}
