import { Anchor, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { serverPaths } from '../navigation/paths.ts'
import { GateIcon } from '../ui/icons.tsx'
import styles from './auth-frame.module.css'
import { ColorSchemeSwitch } from './color-scheme-switch.tsx'

/** Vertical bars of the gate: x and upper end. */
const bars = [
  [456, 272],
  [522, 206],
  [588, 168],
  [654, 147],
  [720, 140],
  [786, 147],
  [852, 168],
  [918, 206],
  [984, 272],
]

/** Horizontal bars of the gate: y and half the width. */
const rails = [206, 272, 338, 404, 470, 536, 602, 668, 734, 800, 866].map((y) => [
  y,
  y >= 470 ? 330 : Math.round(Math.sqrt(330 ** 2 - (470 - y) ** 2)),
])

/** The frame of pages before the sign-in: one card in front of a drawing of a gate. */
export function AuthFrame({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Gatehouse`
  }, [title])
  return (
    <div className={styles['frame']}>
      <svg className={styles['art']} viewBox="0 0 1440 900" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
        <path d="M390 900V470a330 330 0 0 1 660 0V900M375 900V470a345 345 0 0 1 690 0V900" />
        <path d={bars.map(([x, y]) => `M${x} ${y}V900`).join('')} />
        <path d={rails.map(([y, half]) => `M${720 - half!} ${y}H${720 + half!}`).join('')} />
      </svg>
      <header className={styles['top']}>
        <span className={styles['logo']}>
          <GateIcon size={24} /> Gatehouse
        </span>
        <ColorSchemeSwitch />
      </header>
      <main className={styles['middle']}>
        <div className={styles['card']}>
          <Stack>
            <div>
              <Title order={1} size="1.375rem">
                {title}
              </Title>
              <Text c="dimmed" size="sm" mt={4} className="breakable">
                {lead}
              </Text>
            </div>
            {children}
          </Stack>
        </div>
      </main>
      <footer className={styles['foot']}>
        <Anchor href={serverPaths.documentation} size="xs">
          Documentation
        </Anchor>
        <Anchor href={serverPaths.readiness} size="xs">
          Server status
        </Anchor>
      </footer>
    </div>
  )
}
