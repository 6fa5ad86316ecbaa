import { useEffect, useRef, useState } from 'react'
import { useRouterState } from '../router/react.tsx'
import { toInstant, toLocal } from '../ui/local-time.ts'
import { textField } from '../ui/text-field.ts'

type Filters = Readonly<Record<string, string | undefined>>

/** Milliseconds without typing after which a text applies. */
const PAUSE_MS = 300

/**
 * Applies filters as they change: choices at once, texts after a pause in typing or when their field loses the focus.
 * Empty values are removed.
 */
export function useLiveFilters<F extends Filters>(filters: F, onApply: (filters: F) => void) {
  const [draft, setDraft] = useState(filters)
  const { isLeaving } = useRouterState()
  const isGone = useRef(isLeaving)
  isGone.current = isLeaving
  const applied = keyOf(filters)
  const own = useRef(applied)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    // Text that was typed since must stay; only filters from elsewhere replace it.
    if (own.current === applied) return
    own.current = applied
    setDraft(filters)
  }, [applied, filters])
  useEffect(() => () => clearTimeout(timer.current), [])

  function apply(next: F): void {
    clearTimeout(timer.current)
    // A filter that applied now would call off the way to the next page.
    if (isGone.current) return
    const entries = Object.entries(next).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : []))
    const trimmed = Object.fromEntries(entries) as F
    if (keyOf(trimmed) === applied) return
    own.current = keyOf(trimmed)
    onApply(trimmed)
  }

  function change(name: keyof F & string, value: string): F {
    const next = { ...draft, [name]: value }
    setDraft(next)
    clearTimeout(timer.current)
    return next
  }

  function type(name: keyof F & string, value: string) {
    const next = change(name, value)
    timer.current = setTimeout(() => apply(next), PAUSE_MS)
  }

  const choose = (name: keyof F & string, value: string) => apply(change(name, value))
  /** Applies a text without waiting. */
  const flush = () => apply(draft)
  return {
    draft,
    type,
    flush,
    /** The props of a field for a choice. */
    choice: (name: keyof F & string) => textField(draft[name] ?? '', (value) => choose(name, value)),
    /** The props of a field for a text. */
    text: (name: keyof F & string) => ({
      ...textField(draft[name] ?? '', (value) => type(name, value)),
      onBlur: flush,
      spellCheck: false,
    }),
    /** The props of a field for a time. */
    time: (name: keyof F & string) => ({
      ...textField(toLocal(draft[name]), (value) => choose(name, toInstant(value))),
      type: 'datetime-local',
    }),
    clear(kept: F) {
      setDraft(kept)
      apply(kept)
    },
  }
}

/** Returns the same text for the same filters, whatever their order. */
function keyOf(filters: Filters): string {
  return JSON.stringify(
    Object.entries(filters)
      .filter(([, value]) => value)
      .sort(),
  )
}
