-- Words by which an organization sorts its saved texts ("Sports", "Attendance").
alter table templates add column labels text[] not null default '{}';
