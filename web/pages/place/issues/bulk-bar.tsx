import { Button, Text } from '@mantine/core'
import { Suspense, useState } from 'react'
import { listOpenPlaces } from '../../../api/issues.ts'
import type { Policy, Selection } from '../../../api/resources.ts'
import bar from '../../../components/bar.module.css'
import type { ListSelection } from '../../../hooks/selection.ts'
import { lazyPart } from '../../../navigation/lazy.ts'
import { countOf } from '../../../ui/words.ts'

const BulkTag = lazyPart(async () => (await import('../../../components/bulk-tag.tsx')).BulkTag)
const BulkIgnore = lazyPart(async () => (await import('../ignores/bulk-ignore.tsx')).BulkIgnore)
const RuleNotice = lazyPart(async () => (await import('../ignores/notice.tsx')).RuleNotice)

interface Props {
  readonly orgId: string
  readonly selection: ListSelection
  /** Ids of the selected rows. */
  readonly ids: readonly string[]
  /** All vulnerabilities that match the filters. */
  readonly matching: { readonly query: Selection['query']; readonly count: number; readonly words: string }
}

/** The actions on a selection, and the outcome of the last one. */
export function BulkBar({ orgId, selection, ids, matching }: Props) {
  const [dialog, setDialog] = useState<'ignore' | 'tag'>()
  const [rule, setRule] = useState<{ policy: Policy; what: string }>()
  const [tagged, setTagged] = useState<number>()
  const { isAll, wasCleared, selectAll, clear } = selection
  const count = isAll ? matching.count : ids.length
  const close = () => setDialog(undefined)
  function finish() {
    close()
    clear()
  }
  return (
    <>
      {wasCleared && (
        <Text size="sm" role="status">
          Selection cleared, because other rows are shown.
        </Text>
      )}
      {tagged !== undefined && <Text role="status">{countOf(tagged, 'project')} tagged.</Text>}
      {count > 0 && (
        <div className={bar['bar']} role="toolbar" aria-label="Selected vulnerabilities">
          <strong>{isAll ? `All ${count.toLocaleString()} matching` : count.toLocaleString()} selected</strong>
          <Button size="xs" onClick={() => setDialog('ignore')} aria-keyshortcuts="i">
            Ignore…
          </Button>
          {!isAll && (
            <Button size="xs" variant="default" onClick={() => setDialog('tag')}>
              Tag projects…
            </Button>
          )}
          {!isAll && matching.count > count && (
            <Button size="xs" variant="default" onClick={selectAll}>
              Select all {matching.count.toLocaleString()} matching
            </Button>
          )}
          <Button size="xs" variant="default" onClick={clear} aria-keyshortcuts="Escape">
            Clear selection
          </Button>
        </div>
      )}
      <Suspense>
        {rule && <RuleNotice key={rule.policy.id} place={{ kind: 'orgs', id: orgId }} {...rule} />}
        {dialog === 'ignore' && (
          <BulkIgnore
            orgId={orgId}
            selected={isAll ? matching : { ids }}
            onClose={close}
            onDone={(policy, what) => {
              finish()
              setRule({ policy, what })
            }}
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
            onDone={(count) => {
              finish()
              setTagged(count)
            }}
          />
        )}
      </Suspense>
    </>
  )
}
