-- A message recorded by phone is filed in the audio library under what it is for, as one recorded in the browser is.
alter table message_recordings add column audio_type text not null default 'announcement'
  constraint message_recordings_audio_type_check check (audio_type in ('announcement', 'survey', 'transfer-connect'));
