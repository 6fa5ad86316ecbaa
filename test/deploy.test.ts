import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unknownSettings, weakServices } from '../tools/check-deploy.ts'

test('deployment files: every setting exists', () => assert.deepEqual(unknownSettings(), []))

test('deployment files: services that face the network are confined', () => assert.deepEqual(weakServices(), []))
