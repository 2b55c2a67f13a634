output "notification_id" {
  description = "The id that the service gave to the notification."
  value       = notification_notification.this.notification_id
}

output "submitted_at" {
  description = "When the service's response arrived, as RFC 3339 in UTC."
  value       = notification_notification.this.submitted_at
}

output "confirmed" {
  description = "Whether the service accepted the notification; null after an import."
  value       = notification_notification.this.confirmed
}
