import { Button, Group, List, Paper, SimpleGrid, Stack, Switch, Text, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { DropArea } from '../../../ui/drop-area.tsx'
import { type ManifestFiles, recogniseFiles } from './manifest-files.ts'
import styles from './manifest-form.module.css'

export interface Wanted extends ManifestFiles {
  readonly includeDev: boolean
  readonly acceptPartial: boolean
}

export function ManifestForm({ isBusy, onSubmit }: { isBusy: boolean; onSubmit: (wanted: Wanted) => void }) {
  const [wanted, setWanted] = useState<Wanted>({ manifest: '', lockfile: '', includeDev: false, acceptPartial: false })
  const [unknown, setUnknown] = useState<readonly string[]>([])
  const [missing, setMissing] = useState(false)
  const change = (part: Partial<Wanted>) => setWanted((now) => ({ ...now, ...part }))

  async function take(files: readonly File[]) {
    const recognised = await recogniseFiles(files)
    change(recognised.files)
    setUnknown(recognised.unknown)
    setMissing(false)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const isMissing = wanted.manifest.trim() === ''
    setMissing(isMissing)
    if (!isMissing) onSubmit(wanted)
  }

  return (
    <Paper withBorder p="lg">
      <form onSubmit={submit} noValidate>
        <Stack>
          <DropArea
            words="Drop package.json and package-lock.json here, or"
            action="Choose files"
            label="Manifest and lockfile"
            accept=".json,application/json"
            isMultiple
            onFiles={take}
          />
          {unknown.length > 0 && (
            <div role="alert">
              <Text c="var(--mantine-color-error)" size="sm">
                Neither a package.json nor a lockfile of npm:
              </Text>
              <List size="sm">
                {unknown.map((name) => (
                  <List.Item key={name}>{name}</List.Item>
                ))}
              </List>
            </div>
          )}
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Textarea
              label="package.json"
              placeholder="Paste it here"
              value={wanted.manifest}
              onChange={(event) => change({ manifest: event.currentTarget.value })}
              error={missing && 'The manifest is needed: it names what the project asks for'}
              rows={7}
              spellCheck={false}
              required
              classNames={{ input: styles['code'] ?? '' }}
            />
            <Textarea
              label="package-lock.json"
              placeholder="Paste it here. Without it, versions are resolved as of now, which needs the registry"
              value={wanted.lockfile}
              onChange={(event) => change({ lockfile: event.currentTarget.value })}
              rows={7}
              spellCheck={false}
              classNames={{ input: styles['code'] ?? '' }}
            />
          </SimpleGrid>
          <Group gap="xl">
            <Switch
              label="Also development dependencies"
              checked={wanted.includeDev}
              onChange={(event) => change({ includeDev: event.currentTarget.checked })}
            />
            <Switch
              label="Answer even when something cannot be resolved"
              checked={wanted.acceptPartial}
              onChange={(event) => change({ acceptPartial: event.currentTarget.checked })}
            />
          </Group>
          <Group>
            <Button type="submit" loading={isBusy}>
              Test
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  )
}
