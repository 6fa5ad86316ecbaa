import { Anchor, Text } from '@mantine/core'
import MarkdownToJsx from 'markdown-to-jsx/react'
import type { ReactNode } from 'react'
import styles from './markdown.module.css'

/** Renders untrusted Markdown: no HTML, nothing fetched, links only to the web and in a new tab. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className={styles['markdown']}>
      <MarkdownToJsx
        options={{
          disableParsingRawHTML: true,
          forceBlock: true,
          overrides: { a: WebLink, img: ImageName, iframe: Nothing, input: Nothing },
        }}
      >
        {text}
      </MarkdownToJsx>
    </div>
  )
}

function WebLink({ href, children }: { href?: string; children?: ReactNode }) {
  if (href === undefined || !/^https?:\/\//i.test(href)) return <>{children}</>
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer nofollow" inherit>
      {children}
    </Anchor>
  )
}

function ImageName({ alt }: { alt?: string }) {
  return (
    <Text span c="dimmed">
      [image{alt ? `: ${alt}` : ''}]
    </Text>
  )
}

function Nothing() {
  return null
}
