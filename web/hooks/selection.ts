import { useState } from 'react'

interface ListState {
  /** The filters in effect, as text. */
  readonly filters: string
  /** The displayed page, as text. */
  readonly page: string
}

interface Stored extends ListState {
  readonly ids: ReadonlySet<string>
  readonly isAll: boolean
}

export type ListSelection = ReturnType<typeof useSelection>

/**
 * Manages the selected rows of a list: those of one page, or all that match the filters. A change of the filters clears
 * any selection and another page clears that of rows; `wasCleared` is then true until something else is selected.
 */
export function useSelection({ filters, page }: ListState) {
  const empty: Stored = { filters, page, ids: new Set(), isAll: false }
  const [stored, setStored] = useState(empty)
  const isCurrent = (now: Stored) => now.filters === filters && (now.isAll || now.page === page)
  const { ids, isAll } = isCurrent(stored) ? stored : empty
  return {
    ids,
    isAll,
    wasCleared: !isCurrent(stored) && (stored.isAll || stored.ids.size > 0),
    /** Changes rows of the displayed page. Afterward at most rows of this page are selected. */
    toggle: (changed: readonly string[], { shown, isOn }: { shown: readonly string[]; isOn: boolean }) =>
      setStored((now) => {
        const before = isCurrent(now) ? (now.isAll ? shown : now.ids) : []
        const next = new Set(before)
        for (const id of changed) isOn ? next.add(id) : next.delete(id)
        return { ...empty, ids: next }
      }),
    selectAll: () => setStored({ ...empty, isAll: true }),
    clear: () => setStored(empty),
  }
}
