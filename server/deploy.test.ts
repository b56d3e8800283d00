/** Compares the files for Kubernetes, Prometheus and Grafana with the program that they describe. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingNames } from './config.ts';
import { createMetrics } from './metrics.ts';

const folder = join(import.meta.dirname, '../deploy');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

// biome-ignore lint/suspicious/noExplicitAny: what is asked of a file is what is tested of it
type Asked = any;
type Node = string | Node[] | { [key: string]: Node };

/** The subset of YAML that these files use: block maps and lists, and a scalar on the line of its key. */
function parseYaml(text: string): Node {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .map((line) => ({ depth: line.search(/\S/), said: line.trim() }));
  let at = 0;
  const scalar = (said: string) => said.replace(/^(["'])(.*)\1$/, '$2');
  const block = (depth: number): Node => {
    const isList = lines[at]?.said.startsWith('- ') === true;
    const list: Node[] = [];
    const map: { [key: string]: Node } = {};
    while (at < lines.length && lines[at]?.depth === depth) {
      const line = lines[at] as (typeof lines)[number];
      if (isList) {
        line.said = line.said.slice(2);
        line.depth += 2;
        if (/^[\w./-]+:( |$)/.test(line.said)) list.push(block(depth + 2));
        else {
          list.push(scalar(line.said));
          at += 1;
        }
        continue;
      }
      const [, key = '', value = ''] = /^([\w./-]+):(?: (.*))?$/.exec(line.said) ?? [];
      if (key === '' || key in map) throw new Error(`not understood: ${line.said}`);
      at += 1;
      map[key] = value === '' ? block(lines[at]?.depth ?? 0) : scalar(value);
    }
    return isList ? list : map;
  };
  const parsed = block(0);
  if (at < lines.length) throw new Error(`not understood: ${lines[at]?.said}`);
  return parsed;
}

const documents = read('kubernetes.yaml')
  .split(/^---$/m)
  .map((text) => parseYaml(text) as Asked);
const ofKind = (kind: string) => documents.filter((each) => each.kind === kind);

describe('compose.yaml', () => {
  it('publishes the ports of the proxy only', () => {
    const compose = readFileSync(join(folder, '../compose.yaml'), 'utf8');
    const [, services = ''] = /^services:\n((?: .*\n|\n|#.*\n)+)/m.exec(compose) ?? [];
    const parts = services.split(/^ {2}(?=[\w-]+:$)/m).slice(1);
    const names = parts.map((part) => part.split(':', 1)[0]);
    expect(names).toEqual(['postgres', 'migrate', 'server', 'worker', 'proxy']);
    expect(names.filter((_, index) => /\b(ports|network_mode):/.test(parts[index] ?? ''))).toEqual(['proxy']);
    // Nor by the part that server and worker share.
    expect(compose.split(/^services:/m)[0]).not.toMatch(/\b(ports|network_mode):/);
  });
});

describe('deploy/kubernetes.yaml', () => {
  it('has one of each, in one namespace', () => {
    expect(documents.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`)).toEqual([
      'ConfigMap muster/muster',
      'PersistentVolumeClaim muster/muster-data',
      'Deployment muster/muster-web',
      'Deployment muster/muster-worker',
      'Service muster/muster-web',
      'PodDisruptionBudget muster/muster-web',
      'Ingress muster/muster',
    ]);
    for (const { apiVersion } of documents) expect(apiVersion).toMatch(/^([a-z0-9.]+\/)?v1$/);
  });

  it.each(ofKind('Deployment').map((each) => [each.metadata.name, each]))(
    '%s: uses the right health checks, and has enough time to stop',
    (_name, { spec }) => {
      expect(Number(spec.replicas)).toBe(2);
      const { metadata, spec: pod } = spec.template;
      expect(metadata.labels).toMatchObject(spec.selector.matchLabels);
      expect(Number(pod.terminationGracePeriodSeconds)).toBeGreaterThanOrEqual(15);
      const [container] = pod.containers;
      const ports = container.ports.map(({ name }: { name: string }) => name);
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
        expect(ports).toContain(container[probe].httpGet.port);
      expect(container.livenessProbe.httpGet.path).toBe('/healthz');
      expect(container.readinessProbe.httpGet.path).toBe('/readyz');
      // Its response time, and a little more.
      expect(Number(container.readinessProbe.timeoutSeconds)).toBeGreaterThan(2);
      expect(container.env).toEqual([{ name: 'ROLE', value: expect.stringMatching(/^(web|worker)$/) }]);
      const claims = pod.volumes.map(
        (volume: { persistentVolumeClaim: { claimName: string } }) => volume.persistentVolumeClaim.claimName,
      );
      expect(claims).toEqual([ofKind('PersistentVolumeClaim')[0].metadata.name]);
    },
  );

  it('names only existing settings, and sends requests to the web processes', () => {
    const [config] = ofKind('ConfigMap');
    expect(Object.keys(config.data).filter((name) => !settingNames.includes(name))).toEqual([]);
    const [service] = ofKind('Service');
    const web = ofKind('Deployment').find(({ metadata }) => metadata.name === 'muster-web');
    expect(web.spec.template.metadata.labels).toMatchObject(service.spec.selector);
    const [ingress] = ofKind('Ingress');
    expect(ingress.spec.rules[0].http.paths[0].backend.service).toEqual({
      name: service.metadata.name,
      port: { name: service.spec.ports[0].name },
    });
  });
});

describe('deploy/helm', () => {
  const values = parseYaml(read('helm/values.yaml')) as Asked;

  /** The lines of `if`, `else` and `end` in use here: none inside another. */
  function choose(text: string, values: Asked): string {
    let isShown = true;
    return text
      .split('\n')
      .filter((line) => {
        const [, word, name = ''] = /^ *\{\{- (if|else|end)(?: \.Values\.(\w+))? \}\}$/.exec(line) ?? [];
        if (word === 'if') isShown = Boolean(values[name]);
        else if (word === 'else') isShown = !isShown;
        else if (word === 'end') isShown = true;
        return word === undefined && isShown;
      })
      .join('\n');
  }

  /** The subset of Helm's template language in use: values, with or without quotes, choices, and a map of settings. */
  function render(text: string, values: Asked): string {
    return choose(text, values)
      .replace(
        /\n *\{\{- toYaml \.Values\.settings \| nindent 2 \}\}/,
        Object.entries(values.settings)
          .map(([name, value]) => `\n  ${name}: "${value}"`)
          .join(''),
      )
      .replaceAll('{{ .Release.Namespace }}', 'muster')
      .replace(/\{\{ \.Values\.([\w.]+)( \| quote)? \}\}/g, (_all, path: string, quoted) => {
        const value = path.split('.').reduce((at: Asked, name) => at[name], values);
        if (typeof value !== 'string') throw new Error(`values.yaml has no ${path}`);
        return quoted === undefined ? value : `"${value}"`;
      });
  }

  it('with default values equals deploy/kubernetes.yaml, and keeps its volume in every case', () => {
    const rendered = render(read('helm/templates/muster.yaml'), values);
    expect(rendered).not.toMatch(/\{\{|\}\}/);
    const expected = documents.map((each) =>
      each.kind === 'PersistentVolumeClaim'
        ? { ...each, metadata: { ...each.metadata, annotations: { 'helm.sh/resource-policy': 'keep' } } }
        : each,
    );
    expect(rendered.split(/^---$/m).map(parseYaml)).toEqual(expected);
  });

  it('without storage needs no volume that pods share', () => {
    const rendered = render(read('helm/templates/muster.yaml'), { ...values, storage: '' });
    expect(rendered).not.toMatch(/\{\{|\}\}/);
    const parts: Asked[] = rendered.split(/^---$/m).map(parseYaml);
    expect(parts.map(({ kind }) => kind)).toEqual(
      documents.map(({ kind }) => kind).filter((kind) => kind !== 'PersistentVolumeClaim'),
    );
    const pods = parts.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.template.spec);
    expect(pods.map(({ volumes }) => volumes)).toEqual([
      [{ name: 'data', emptyDir: '{}' }],
      [{ name: 'data', emptyDir: '{}' }],
    ]);
  });

  it('has this version, and names only existing settings', () => {
    const { version } = JSON.parse(read('../package.json'));
    expect(parseYaml(read('helm/Chart.yaml'))).toMatchObject({
      ...{ apiVersion: 'v2', name: 'muster', type: 'application', version, appVersion: version },
    });
    expect(Object.keys(values.settings).filter((name) => !settingNames.includes(name))).toEqual([]);
    expect(values.settings.PUBLIC_URL).toBe(`https://${values.host}`);
  });
});

describe('alerts and the dashboard', () => {
  const { registry } = createMetrics({ withDefaults: true });

  /** The metrics that an expression may name: a histogram has several. */
  async function known(): Promise<Map<string, string[]>> {
    const metrics = await registry.getMetricsAsJSON();
    return new Map(
      metrics.flatMap(({ name, type, values }) => {
        const labels = [...new Set(values.flatMap((value) => Object.keys(value.labels)))];
        const isHistogram = String(type) === 'histogram';
        return isHistogram
          ? ['_bucket', '_sum', '_count'].map((end): [string, string[]] => [name + end, labels])
          : [[name, labels] as [string, string[]]];
      }),
    );
  }

  it.each(['alerts.yaml', 'dashboard.json'])('%s names only metrics that /metrics has', async (file) => {
    const names = new Set(read(file).match(/\bmuster_[a-z0-9_]+/g));
    expect(names.size).toBeGreaterThan(7);
    const there = await known();
    expect([...names].filter((name) => !there.has(name))).toEqual([]);
  });

  it('every alert describes the problem in a sentence, and has a severity', () => {
    const rules = (parseYaml(read('alerts.yaml')) as Asked).groups[0].rules;
    expect(rules.length).toBeGreaterThan(5);
    for (const { alert, expr, labels, annotations } of rules) {
      expect(alert).toMatch(/^Muster[A-Z]\w+$/);
      expect(expr).toContain('muster_');
      expect(labels.severity).toMatch(/^(page|warn)$/);
      expect(annotations.summary).toMatch(/^[A-Z].+[.]$|^[A-Z].+stuck rows\.$/);
    }
  });

  it('the dashboard is JSON that Grafana reads: panels with a position and a query each', () => {
    const { panels, title } = JSON.parse(read('dashboard.json'));
    expect(title).toBe('Muster');
    for (const { gridPos, targets, type } of panels) {
      expect(type).toBe('timeseries');
      expect(gridPos).toEqual({ h: 8, w: 12, x: expect.any(Number), y: expect.any(Number) });
      expect(targets[0].expr).toContain('muster_');
    }
  });
});
