import type {
  BackupReport,
  ConfigReport,
  DoctorReport,
  ExportReport,
  PurgeReport,
  RestoreReport,
  ServiceReport,
} from '../../contract/maintenance.ts';

export interface PurgeRequest {
  readonly olderThanDays?: number;
  readonly agent?: number;
  readonly persona?: string;
  readonly all: boolean;
  readonly documents: boolean;
  readonly yes: boolean;
}

export interface ServiceRequest {
  readonly wish: 'install' | 'status' | 'uninstall';
  readonly dryRun: boolean;
}

/** Operations on Baton's home that need no running server. Each throws CliFault with a sentence if it fails. */
export interface MaintenanceDeps {
  explainConfig(): ConfigReport;
  service(wanted: ServiceRequest): Promise<ServiceReport>;
  /** Writes a backup. By default the file is `backups/baton-backup-DATE.tar.gz` in the home. */
  backup(wanted: { readonly file?: string; readonly withSecrets: boolean }): Promise<BackupReport>;
  restore(wanted: {
    readonly file: string;
    readonly yes: boolean;
    readonly withSecrets: boolean;
  }): Promise<RestoreReport>;
  exportTo(folder: string): Promise<ExportReport>;
  purge(wanted: PurgeRequest): Promise<PurgeReport>;
  doctor(): Promise<DoctorReport>;
}
