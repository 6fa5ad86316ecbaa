import { Button, Text } from '@mantine/core'
import { Suspense, useState } from 'react'
import { listOpenPlaces } from '../../../api/issues.ts'
import type { IssueGroup } from '../../../api/resources.ts'
import { lazyPart } from '../../../navigation/lazy.ts'
import { countOf } from '../../../ui/words.ts'
import styles from './groups.module.css'

const BulkTag = lazyPart(async () => (await import('../../../components/bulk-tag.tsx')).BulkTag)
const BulkIgnore = lazyPart(async () => (await import('./bulk-ignore.tsx')).BulkIgnore)

interface Props {
  readonly orgId: string
  readonly selected: readonly IssueGroup[]
  readonly onClear: () => void
}

export function BulkBar({ orgId, selected, onClear }: Props) {
  const [dialog, setDialog] = useState<'ignore' | 'tag'>()
  const [outcome, setOutcome] = useState<string>()
  const ids = selected.map(({ id }) => id)
  const close = () => setDialog(undefined)
  function finish(words: string) {
    close()
    setOutcome(words)
    onClear()
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
          <Button size="xs" variant="default" onClick={onClear} aria-keyshortcuts="Escape">
            Clear selection
          </Button>
        </div>
      )}
      <Suspense>
        {dialog === 'ignore' && (
          <BulkIgnore
            orgId={orgId}
            groups={selected}
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
