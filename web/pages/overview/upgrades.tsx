import { Paper, Stack, Text, Title } from '@mantine/core'
import { useId } from 'react'
import type { OrgUpgrade } from '../../api/resources.ts'
import { Note } from '../../components/note.tsx'
import { paths } from '../../navigation/paths.ts'
import { PageLink } from '../../ui/links.tsx'
import { Table } from '../../ui/table.tsx'
import styles from './page.module.css'

/** Lists the upgrades that would fix the most open issues. */
export function Upgrades({ orgId, upgrades }: { orgId: string; upgrades: readonly OrgUpgrade[] }) {
  const id = useId()
  const most = upgrades[0]?.fixes ?? 1
  return (
    <Paper component="section" withBorder p="md" className={styles['card'] ?? ''} aria-labelledby={id}>
      <Stack gap="sm">
        <Title order={2} size="h5" id={id}>
          Upgrades that fix the most
        </Title>
        {upgrades.length === 0 ? (
          <Note size="sm">No known upgrade fixes an open issue.</Note>
        ) : (
          <>
            <Table aria-labelledby={id} className={styles['table'] ?? ''} verticalSpacing={6}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">Upgrade</Table.Th>
                  <Table.Th scope="col" className={`${styles['share']} ${styles['narrow']}`}>
                    Share
                  </Table.Th>
                  <Table.Th scope="col" ta="right" className={styles['count'] ?? ''}>
                    Fixes
                  </Table.Th>
                  <Table.Th scope="col" ta="right" className={styles['count'] ?? ''}>
                    Critical
                  </Table.Th>
                  <Table.Th scope="col" ta="right" className={`${styles['count']} ${styles['narrow']}`}>
                    Projects
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {upgrades.map((upgrade) => (
                  <Row key={keyOf(upgrade)} orgId={orgId} of={upgrade} most={most} />
                ))}
              </Table.Tbody>
            </Table>
            <Note>As advised by the last test of each project. An issue that two upgrades fix counts for both.</Note>
          </>
        )}
      </Stack>
    </Paper>
  )
}

function keyOf({ registry, package: name, from_version, to_version }: OrgUpgrade): string {
  return [registry, name, from_version, to_version].join(' ')
}

function Row({ orgId, of, most }: { orgId: string; of: OrgUpgrade; most: number }) {
  const { registry, package: name, from_version: from, to_version: to, fixes, critical, projects } = of
  const query = new URLSearchParams({ ignored: 'false', package: `${name}@${from}` })
  return (
    <Table.Tr>
      <Table.Td>
        <PageLink to={`${paths.issues(orgId)}?${query}`} fw={600} size="sm">
          {name}
        </PageLink>{' '}
        <Text span size="sm">
          {from} → {to}
        </Text>{' '}
        <Text span size="xs" c="dimmed">
          {registry}
        </Text>
      </Table.Td>
      <Table.Td className={styles['narrow'] ?? ''}>
        <div className={styles['rest']} aria-hidden>
          <div style={{ width: `${(fixes / most) * 100}%` }} />
        </div>
      </Table.Td>
      <Table.Td ta="right" fw={600}>
        {fixes.toLocaleString()}
      </Table.Td>
      <Table.Td ta="right">{critical.toLocaleString()}</Table.Td>
      <Table.Td ta="right" className={styles['narrow'] ?? ''}>
        {projects.toLocaleString()}
      </Table.Td>
    </Table.Tr>
  )
}
