import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { BulkIgnore } from './bulk-ignore.tsx'
import { countOf } from './group-columns.tsx'
import type { Selection } from './group-table.tsx'
import styles from './groups.module.css'

/** Actions on the selected vulnerabilities, and the outcome of the last one. */
export function BulkBar({ orgId, selection }: { orgId: string; selection: Selection }) {
  const [isIgnoring, setIgnoring] = useState(false)
  const [ignored, setIgnored] = useState<number>()
  const ids = [...selection.ids]
  return (
    <>
      {ignored !== undefined && <Text role="status">{countOf(ignored, 'issue')} ignored.</Text>}
      {ids.length > 0 && (
        <div className={styles['bar']} role="toolbar" aria-label="Selected vulnerabilities">
          <strong>{ids.length.toLocaleString()} selected</strong>
          <Button size="xs" onClick={() => setIgnoring(true)}>
            Ignore…
          </Button>
          <Button size="xs" variant="default" onClick={() => selection.toggle(ids, false)}>
            Clear selection
          </Button>
        </div>
      )}
      {isIgnoring && (
        <BulkIgnore
          orgId={orgId}
          issueIds={ids}
          onClose={() => setIgnoring(false)}
          onDone={(count) => {
            setIgnoring(false)
            setIgnored(count)
            selection.toggle(ids, false)
          }}
        />
      )}
    </>
  )
}
