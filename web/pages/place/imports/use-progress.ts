import { type Query, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { followImport, type Progress } from '../../../api/imports.ts'
import { toRefusal } from '../../../api/refusal.ts'
import type { Import } from '../../../api/resources.ts'

const AGAIN_MS = 2000

/** Follows an import's progress, reconnecting after a lost connection. */
export function useProgress(orgId: string, { id, attributes }: Import): Progress {
  const [live, setLive] = useState<Progress>()
  const queries = useQueryClient()
  const isPending = attributes.state === 'pending'

  useEffect(() => {
    // An import changes projects, their issues and all counts. It may have finished before its page was opened.
    if (!isPending) {
      const isOther = ({ queryKey: [kind, , of] }: Query) => kind !== 'import' || of !== id
      return void queries.invalidateQueries({ predicate: isOther })
    }
    const controller = new AbortController()
    const { signal } = controller
    let timer: ReturnType<typeof setTimeout> | undefined
    const readAgain = () => void queries.invalidateQueries({ queryKey: ['import', orgId, id] })

    async function watch(): Promise<void> {
      try {
        for await (const progress of followImport(orgId, id, signal)) {
          setLive(progress)
          if (progress.state !== 'pending') return readAgain()
        }
      } catch (error) {
        const { status } = toRefusal(error)
        // A permanent refusal is displayed when the import itself is read again.
        if (!signal.aborted && status >= 400 && status < 500 && status !== 429) return readAgain()
      }
      if (!signal.aborted) timer = setTimeout(() => void watch(), AGAIN_MS)
    }

    void watch()
    return () => {
      controller.abort()
      clearTimeout(timer)
      // The import continues after its page is closed, which then can no longer refresh other pages at its end.
      void queries.invalidateQueries({ refetchType: 'none' })
    }
  }, [orgId, id, isPending, queries])

  const { state, listed_at, manifests } = attributes
  return (isPending ? live : undefined) ?? { state, is_listed: listed_at !== null, manifests }
}
