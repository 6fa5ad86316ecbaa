import { useEffect, useState } from 'react'

/** Empty modules around the code (ISO/IEC 18004). */
const BORDER = 4

/**
 * A QR code, drawn in the browser because its text is a secret. Dark on light in both color schemes, as cameras expect.
 */
export function QrCode({ text, label }: { text: string; label: string }) {
  const [rows, setRows] = useState<readonly (readonly boolean[])[]>([])
  useEffect(() => {
    let isCurrent = true
    // Loaded on demand, since few users set up an app. Without the encoder, the key can be typed.
    import('qr').then(
      ({ encodeQR }) => isCurrent && setRows(encodeQR(text, 'raw', { border: BORDER, ecc: 'low' })),
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [text])
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      width={200}
      height={200}
      viewBox={`0 0 ${rows.length || 1} ${rows.length || 1}`}
      shapeRendering="crispEdges"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
