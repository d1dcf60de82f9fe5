'use client';

import { AxisBottom, AxisLeft } from '@visx/axis';
import { useParentSize } from '@visx/responsive';
import { scaleBand, scaleLinear } from '@visx/scale';
import { BarStack, LinePath } from '@visx/shape';
import { Link } from '#components/ui/link.tsx';

export type Series = { key: string; label: string; colour: string };
export type PlotPeriod = {
  /** On the axis, where there is room. */
  tick: string;
  href: string;
  /** By the key of a series; null where it says nothing. */
  values: Record<string, number | null>;
};

type PlotProps = {
  kind: 'bars' | 'lines';
  /** What a screen reader says in its place; the table beside it says the rest. */
  label: string;
  periods: readonly PlotPeriod[];
  series: readonly Series[];
  format: (value: number) => string;
  /** The end of the scale, where it has one of its own. */
  most?: number;
  marked: number | null;
  onMark: (index: number | null) => void;
};

const HEIGHT = 190;
const UNMEASURED_WIDTH = 640;
const MARGIN = { top: 8, right: 4, bottom: 24, left: 52 };
const TICK_WIDTH = 64;

const tickLabel = { fill: 'var(--ink-subtle)', fontSize: 11, fontFamily: 'inherit' } as const;

/**
 * Stacked bars or lines over periods. It has no words of its own: the card around it says what the marked period has, and
 * shows the same as a table.
 */
export function Plot({ kind, label, periods, series, format, most, marked, onMark }: PlotProps) {
  // The server does not know how wide it will be, nor does a part that is not shown yet.
  const { parentRef, width: measured } = useParentSize({
    initialSize: { width: UNMEASURED_WIDTH, height: HEIGHT },
    debounceTime: 50,
  });
  const width = measured || UNMEASURED_WIDTH;
  const inner = { width: Math.max(1, width - MARGIN.left - MARGIN.right), bottom: HEIGHT - MARGIN.bottom };
  const indices = periods.map((_, index) => index);
  const x = scaleBand({
    domain: indices,
    range: [MARGIN.left, MARGIN.left + inner.width],
    paddingInner: 0.25,
    paddingOuter: 0.125,
  });
  const y = scaleLinear({
    domain: [0, most ?? highest(kind, periods, series)],
    range: [inner.bottom, MARGIN.top],
    nice: most === undefined,
  });
  const drawing = { periods, series, x, y };
  return (
    <div ref={parentRef} className="relative w-full overflow-hidden" onPointerLeave={() => onMark(null)}>
      {/* Until it is measured it is scaled, not cut. */}
      <svg
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <img> holds no drawing
        role="img"
        aria-label={label}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="xMinYMid"
        width="100%"
        height={HEIGHT}
        className="block"
      >
        {marked === null ? null : (
          <rect
            x={x(marked)}
            y={MARGIN.top}
            width={x.bandwidth()}
            height={inner.bottom - MARGIN.top}
            fill="var(--hover)"
          />
        )}
        <Scale y={y} width={inner.width} format={format} />
        {kind === 'bars' ? <Bars {...drawing} /> : <Lines {...drawing} />}
        <AxisBottom
          scale={x}
          top={inner.bottom}
          stroke="var(--line-strong)"
          hideTicks
          tickValues={everyNth(indices, Math.max(1, Math.floor(inner.width / TICK_WIDTH)))}
          tickFormat={(index) => periods[Number(index)]?.tick ?? ''}
          tickLabelProps={{ ...tickLabel, textAnchor: 'middle', dy: 2 }}
        />
      </svg>
      <PeriodLinks periods={periods} onMark={onMark} />
    </div>
  );
}

type ScaleProps = Pick<Drawing, 'y'> & { width: number; format: (value: number) => string };

/** The lines behind the drawing, with their values at the left. */
function Scale({ y, width, format }: ScaleProps) {
  return (
    <AxisLeft
      scale={y}
      left={MARGIN.left}
      numTicks={4}
      hideAxisLine
      tickLength={-width}
      tickLineProps={{ stroke: 'var(--line)' }}
      tickFormat={(value) => format(Number(value))}
      tickLabelProps={{ ...tickLabel, textAnchor: 'end', dx: -8 - width, verticalAnchor: 'middle' }}
    />
  );
}

/** Hidden from the keyboard and from screen readers: the table has the same links, with words. */
function PeriodLinks({ periods, onMark }: Pick<PlotProps, 'periods' | 'onMark'>) {
  return (
    <div aria-hidden="true" className="absolute top-0 right-1 bottom-0 left-13 flex">
      {periods.map((period, index) => (
        <Link
          key={period.href}
          href={period.href}
          tabIndex={-1}
          className="min-w-0 flex-1"
          onPointerEnter={() => onMark(index)}
        />
      ))}
    </div>
  );
}

type Drawing = {
  periods: readonly PlotPeriod[];
  series: readonly Series[];
  x: ReturnType<typeof scaleBand<number>>;
  y: ReturnType<typeof scaleLinear<number>>;
};

function Bars({ periods, series, x, y }: Drawing) {
  const data = periods.map((period, index) => ({
    index,
    ...Object.fromEntries(series.map(({ key }) => [key, period.values[key] ?? 0])),
  }));
  return (
    <BarStack<Record<string, number>, string>
      data={data}
      keys={series.map(({ key }) => key)}
      x={(each) => each.index ?? 0}
      xScale={x}
      yScale={y}
      color={(key) => series.find((each) => each.key === key)?.colour ?? 'var(--agent)'}
      // Parts that touch stay apart also for whoever does not tell their colours apart.
      stroke="var(--surface)"
      strokeWidth={series.length > 1 ? 1 : 0}
    />
  );
}

function Lines({ periods, series, x, y }: Drawing) {
  const centre = (index: number) => (x(index) ?? 0) + x.bandwidth() / 2;
  return series.map(({ key, colour }) => {
    const points = periods.map((period, index) => ({ index, value: period.values[key] ?? null }));
    const isAlone = (index: number) =>
      points[index - 1]?.value === undefined || points[index - 1]?.value === null
        ? (points[index + 1]?.value ?? null) === null
        : false;
    return (
      <g key={key}>
        <LinePath
          data={points}
          x={({ index }) => centre(index)}
          y={({ value }) => y(value ?? 0)}
          defined={({ value }) => value !== null}
          stroke={colour}
          strokeWidth={2}
          strokeLinejoin="round"
        />
        {points.map(({ index, value }) =>
          // A line needs two points: one that stands alone would not be seen.
          value !== null && isAlone(index) ? (
            <circle key={index} cx={centre(index)} cy={y(value)} r={3} fill={colour} />
          ) : null,
        )}
      </g>
    );
  });
}

function highest(kind: PlotProps['kind'], periods: readonly PlotPeriod[], series: readonly Series[]): number {
  const of = (period: PlotPeriod) => series.map(({ key }) => period.values[key] ?? 0);
  const heights = periods.map((period) =>
    kind === 'bars' ? of(period).reduce((sum, value) => sum + value, 0) : Math.max(0, ...of(period)),
  );
  return Math.max(0, ...heights) || 1;
}

/** As many as fit, the same number of steps apart. */
function everyNth(indices: readonly number[], most: number): number[] {
  const step = Math.max(1, Math.ceil(indices.length / most));
  return indices.filter((index) => index % step === 0);
}
