#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Plain JavaScript, for the first file is stripped of types before anything can be kept between starts, and what strips
// takes longer to load (60 ms) than everything else here.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/gatehouse', import.meta.url)))

await import('../src/main.ts')
