import { Button, Text } from '@mantine/core'
import { Suspense, useState } from 'react'
import { listOpenPlaces } from '../../../api/issues.ts'
import { lazyPart } from '../../../navigation/lazy.ts'
import { countOf } from './group-columns.tsx'
import type { Selection } from './group-table.tsx'
import styles from './groups.module.css'

const BulkTag = lazyPart(async () => (await import('../../../components/bulk-tag.tsx')).BulkTag)
const BulkIgnore = lazyPart(async () => (await import('./bulk-ignore.tsx')).BulkIgnore)

/** Actions on the selected vulnerabilities, and the outcome of the last one. */
export function BulkBar({ orgId, selection }: { orgId: string; selection: Selection }) {
  const [dialog, setDialog] = useState<'ignore' | 'tag'>()
  const [outcome, setOutcome] = useState<string>()
  const ids = [...selection.ids]
  const close = () => setDialog(undefined)
  function finish(words: string) {
    close()
    setOutcome(words)
    selection.toggle(ids, false)
  }
  return (
    <>
      {outcome !== undefined && <Text role="status">{outcome}</Text>}
      {ids.length > 0 && (
        <div className={styles['bar']} role="toolbar" aria-label="Selected vulnerabilities">
          <strong>{ids.length.toLocaleString()} selected</strong>
          <Button size="xs" onClick={() => setDialog('ignore')} aria-keyshortcuts="i">
            Ignore…
          </Button>
          <Button size="xs" variant="default" onClick={() => setDialog('tag')}>
            Tag projects…
          </Button>
          <Button size="xs" variant="default" onClick={() => selection.toggle(ids, false)} aria-keyshortcuts="Escape">
            Clear selection
          </Button>
        </div>
      )}
      <Suspense>
        {dialog === 'ignore' && (
          <BulkIgnore
            orgId={orgId}
            issueIds={ids}
            onClose={close}
            onDone={(count) => finish(`${countOf(count, 'issue')} ignored.`)}
          />
        )}
        {dialog === 'tag' && (
          <BulkTag
            orgId={orgId}
            findProjects={async () => {
              const places = await Promise.all(ids.map((id) => listOpenPlaces(orgId, id)))
              return [...new Set(places.flat().map(({ projectId }) => projectId))]
            }}
            onClose={close}
            onDone={(count) => finish(`${countOf(count, 'project')} tagged.`)}
          />
        )}
      </Suspense>
    </>
  )
}
